/* Gobblet Gobblers solved backwards as a specialist would write it: the table of Zermelo's boards/, a byte a position, but every move
 * is made on the numbers of the three sizes' configurations, through tables of 1,423 entries.
 *
 *   gcc -O3 -march=native -pthread gobblet.c -o gobblet && ./gobblet 3 2 2        sizes, pieces of a size, threads; moving is allowed
 *
 * Codes: 0 not reached, 1 undecided (in the end: a draw), -1 a draw by having no move, 2 + d won in d moves, -2 - d lost in d. */

#include <pthread.h>
#include <stdint.h>

#include "measure.h"

enum { ALL = 511, HAND = 512, NEW = -128, CHUNK = 1 << 16 };
static const int lines[8] = {7, 56, 448, 73, 146, 292, 273, 84};
static int sizes, per_size, threads, n, classes;
static char has_line[512];
static int own_of[20000], other_of[20000], swapped[20000], image[8][20000], class_of[20000], first_way[20001], way[160000];
static int representative[20000], row_of[512];
static int *number_of; /* number of a configuration by rows of its two masks */
static int masks;
static int8_t *code;
static int64_t entries, stride[3];

typedef struct { int c[3]; } Position;
typedef struct { int phase, d; int64_t won, lost, left, moves; } Work;
static int64_t next_chunk;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int mirrored(int s) { return (s & 0111) << 2 | (s & 0222) | (s & 0444) >> 2; }
static int transposed(int s) { return (s & 0421) | (s & 0042) << 2 | (s & 0210) >> 2 | (s & 4) << 4 | (s & 64) >> 4; }
static int number(int own, int other) { return number_of[row_of[own] * masks + row_of[other]]; }

static void set_up(void) {
    for (int s = 0; s < 512; s++)
        for (int i = 0; i < 8; i++) has_line[s] |= (s & lines[i]) == lines[i];
    masks = 0;
    for (int s = 0; s < 512; s++) row_of[s] = __builtin_popcount(s) <= per_size ? masks++ : -1;
    number_of = malloc(sizeof(int) * masks * masks);
    n = 0;
    for (int a = 0; a < 512; a++)
        for (int b = 0; b < 512; b++)
            if (row_of[a] >= 0 && row_of[b] >= 0 && !(a & b)) own_of[n] = a, other_of[n] = b, number_of[row_of[a] * masks + row_of[b]] = n++;
    for (int c = 0; c < n; c++) {
        int a = own_of[c], b = other_of[c], least = n;
        swapped[c] = number(b, a);
        for (int k = 0; k < 8; k++) {
            if (k & 1) a = transposed(a), b = transposed(b);
            else if (k) a = mirrored(a), b = mirrored(b);
            image[k][c] = number(a, b);
            if (image[k][c] < least) least = image[k][c];
        }
        if (least == c) representative[classes] = c, class_of[c] = classes++;
        else class_of[c] = class_of[least];
        first_way[c + 1] = first_way[c];
        for (int k = 0; k < 8; k++)
            if (image[k][c] == least) way[first_way[c + 1]++] = k;
    }
    stride[sizes - 1] = 1;
    for (int i = sizes - 2; i >= 0; i--) stride[i] = stride[i + 1] * n;
    entries = stride[0] * classes;
    code = calloc(entries, 1);
}

static inline int64_t index_of(const Position *p) {
    int64_t best = INT64_MAX;
    int c = p->c[0];
    for (int e = first_way[c]; e < first_way[c + 1]; e++) {
        int64_t at = stride[0] * class_of[c];
        for (int i = 1; i < sizes; i++) at += stride[i] * image[way[e]][p->c[i]];
        if (at < best) best = at;
    }
    return best;
}

static inline Position position(int64_t at) {
    Position p;
    p.c[0] = representative[at / stride[0]];
    for (int i = 1; i < sizes; i++) p.c[i] = at / stride[i] % n;
    return p;
}

static inline int visible(const Position *p, int theirs) {
    int seen = 0, covered = 0;
    for (int i = 0; i < sizes; i++) {
        int own = own_of[p->c[i]], other = other_of[p->c[i]];
        seen |= (theirs ? other : own) & ~covered;
        covered |= own | other;
    }
    return seen;
}

/* The moves of a position, or (back) the moves that led to it: numbers of the positions, at most 200. */
static inline int neighbours(const Position *p, int back, int64_t *to) {
    int found = 0, covered = 0;
    Position q;
    for (int i = 0; i < sizes; i++) q.c[i] = swapped[p->c[i]];
    for (int i = 0; i < sizes; i++) {
        int own = own_of[p->c[i]], other = other_of[p->c[i]], before = covered;
        covered |= own | other;
        int mover = back ? other : own, stays = back ? own : other;
        int here = mover & ~before, empty = ALL & ~covered;
        for (int a = here | (back ? 0 : __builtin_popcount(own) < per_size ? HAND : 0); a; a &= a - 1)
            for (int b = empty | (back ? HAND : 0); b; b &= b - 1) {
                int changed = mover ^ (((a & -a) | (b & -b)) & ALL);
                q.c[i] = back ? number(changed, stays) : number(stays, changed);
                to[found++] = index_of(&q);
            }
        q.c[i] = swapped[p->c[i]];
    }
    return found;
}

static int8_t end_code(const Position *p) {
    if (has_line[visible(p, 0)]) return 2;
    if (has_line[visible(p, 1)]) return -2;
    int64_t to[200];
    return neighbours(p, 0, to) ? NEW : -1;
}

static inline int decided(int64_t at, int d, int look_for_wins) {
    Position p = position(at);
    int64_t to[200];
    int moves = neighbours(&p, 0, to), every = 1;
    for (int m = 0; m < moves; m++) {
        int x = code[to[m]];
        if (x <= -2 && x > -2 - d) return 1;
        if (!(x >= 2 && x < 2 + d)) {
            if (!look_for_wins) return 0;
            every = 0;
        }
    }
    return every ? -1 : 0;
}

static void work_on(Work *w, int64_t low, int64_t high) {
    int64_t to[200];
    int d = w->d;
    for (int64_t at = low; at < high; at++) {
        if (w->phase == 0 && code[at] == NEW) {
            Position p = position(at);
            int moves = neighbours(&p, 0, to), wins = 0, every = 1;
            w->moves += moves;
            for (int m = 0; m < moves; m++) {
                int8_t x = code[to[m]];
                if (!x) {
                    Position q = position(to[m]);
                    code[to[m]] = x = end_code(&q);
                }
                wins |= x == -2;
                every &= x == 2;
            }
            code[at] = wins ? 3 : every ? -3 : 1;
            if (wins) w->won++;
            else if (every) w->lost++;
            else w->left++;
        } else if (w->phase == 1 && code[at] == -2 - (d - 1)) {
            Position p = position(at);
            int moves = neighbours(&p, 1, to);
            for (int m = 0; m < moves; m++)
                if (code[to[m]] == 1) code[to[m]] = 2 + d, w->won++;
        } else if (w->phase == 2 && code[at] == 2 + (d - 1)) {
            Position p = position(at);
            int moves = neighbours(&p, 1, to);
            for (int m = 0; m < moves; m++)
                if (code[to[m]] == 1 && decided(to[m], d, 0) < 0) code[to[m]] = -2 - d, w->lost++;
        } else if (w->phase >= 3 && code[at] == 1) {
            int found = decided(at, d, w->phase == 4);
            if (found > 0) code[at] = 2 + d, w->won++;
            if (found < 0) code[at] = -2 - d, w->lost++;
        }
    }
}

static void *worker(void *argument) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int64_t low = next_chunk;
        next_chunk += CHUNK;
        pthread_mutex_unlock(&lock);
        if (low >= entries) return 0;
        work_on(argument, low, low + CHUNK < entries ? low + CHUNK : entries);
    }
}

static Work run(int phase, int d) {
    pthread_t pool[64];
    Work work[64], all = {phase, d, 0, 0, 0, 0};
    next_chunk = 0;
    for (int t = 0; t < threads; t++) {
        work[t] = (Work){phase, d, 0, 0, 0, 0};
        pthread_create(&pool[t], 0, worker, &work[t]);
    }
    for (int t = 0; t < threads; t++) {
        pthread_join(pool[t], 0);
        all.won += work[t].won, all.lost += work[t].lost, all.left += work[t].left, all.moves += work[t].moves;
    }
    return all;
}

int main(int argc, char **argv) {
    sizes = atoi(argv[1]), per_size = atoi(argv[2]), threads = atoi(argv[3]);
    double began = now();
    set_up();
    Position start;
    for (int i = 0; i < sizes; i++) start.c[i] = number(0, 0);
    int64_t at = index_of(&start), won = 0, lost = 0, left = 0;
    code[at] = NEW;
    for (Work w = {0}; (w = run(0, 1)).won + w.lost + w.left; won += w.won, lost += w.lost, left += w.left)
        ;
    for (int d = 2; won || lost; d++) {
        Work w = {0}, x = {0};
        int push_wins = 2 * lost < left, push_losses = 2 * won < left;
        if (lost && push_wins) w = run(1, d);
        if (lost && !push_wins) x = run(4, d);
        else if (won) x = run(push_losses ? 2 : 3, d);
        won = w.won + x.won, lost = w.lost + x.lost, left -= won + lost;
    }
    double seconds[1] = {now() - began};
    int64_t reached = 0;
    for (int64_t i = 0; i < entries; i++) reached += code[i] != 0;
    report(seconds, 1, code[at] > 1 ? 1 : code[at] < -1 ? -1 : 0, reached);
    return 0;
}
