/* The value of the card drawing game by blocked dynamic
 * programming: quadratic in N, vectorised along antidiagonals, threaded.
 *
 *   gcc -Ofast -march=native -pthread card_draw_blocks.c -o card_draw_blocks
 *   ./card_draw_blocks N THREADS [BLOCK]
 *
 * The deck has N red (+1) and N black (-1) cards, drawn without replacement;
 * the player may stop at any time.  With r red and b black cards left,
 * cash = b - r has been won, and the expected final total is
 *
 *   W(r,b) = max( b - r,  r/(r+b) W(r-1,b) + b/(r+b) W(r,b-1) ),
 *   W(0,b) = b,   W(r,0) = 0,   answer W(N,N).
 *
 * The square 1..N x 1..N is cut into blocks of side BLOCK.  Block (I,J) (I
 * counts reds, J blacks) needs the last column of (I-1,J) and the last row of
 * (I,J-1) only.  Two arrays of length O(N) hold all such edges:
 *   row[r] = W(r, last b finished in the block column of r),
 *   col[b] = W(last r finished in the block row of b, b);
 * block (I,J) reads and then overwrites its own stretch of each.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEFAULT_BLOCK 1000
#define LANES 8L                /* loops run in whole groups of 8 doubles */

static long n, side, nb;                /* deck, block side, blocks per side */
static double *row, *col;               /* the edges */

/* ---- one antidiagonal ----------------------------------------------------
 * Cell i of the diagonal r+b = s has r = rd[i], its neighbour with one red
 * less is prev[i-1], that with one black less prev[i].  With p = r/s (1/s is
 * constant along the diagonal) the expectation is prev[i] + p (prev[i-1] -
 * prev[i]).  cur and prev do not overlap: the loops carry no dependency.  The
 * range lo..hi is widened to whole aligned vectors, so that no ragged ends
 * are left; block() sees to it that the excess cells do no harm.          */
static inline void diagonal(double *restrict cur, const double *restrict prev,
    const double *restrict rd, long lo, long hi, double s, int may_stop)
{
    const double inv = 1.0 / s;
    const long first = lo & -LANES, count = (hi - first + LANES) & -LANES;
    const double *restrict p = __builtin_assume_aligned(prev + first, 64);
    const double *restrict r = __builtin_assume_aligned(rd + first, 64);
    double *restrict c = __builtin_assume_aligned(cur + first, 64);
    if (count < LANES || count % LANES) __builtin_unreachable();
    if (may_stop)
        for (long i = 0; i < count; i++) {
            double w = p[i] + r[i] * inv * (p[i - 1] - p[i]);
            double cash = s - 2.0 * r[i];
            c[i] = w > cash ? w : cash;
        }
    else                        /* r >= b in all the block: cash <= 0 <= W */
        for (long i = 0; i < count; i++)
            c[i] = p[i] + r[i] * inv * (p[i - 1] - p[i]);
}

/* ---- one block: m reds from r0 up, k blacks from b0 up -------------------- */
static void block(long I, long J, double *buf0, double *buf1, double *rd)
{
    const long r0 = I * side + 1, b0 = J * side + 1;
    const long m = n - r0 + 1 < side ? n - r0 + 1 : side;
    const long k = n - b0 + 1 < side ? n - b0 + 1 : side;
    double *top = row + r0, *right = col + b0;

    /* Where stopping is best, it is so with fewer reds or more blacks too.
     * If it is at (r0+m-1, b0-1), then the whole block is cash: skip it. */
    if (top[m - 1] == (double)(b0 - 1 - (r0 + m - 1))) {
        for (long i = 0; i < m; i++) top[i] = (double)(b0 + k - 1 - r0 - i);
        for (long j = 0; j < k; j++) right[j] = (double)(b0 + j - r0 - m + 1);
        return;
    }
    const int may_stop = b0 + k - 1 > r0;
    long stop = 0;              /* cells lo..stop-1 of the diagonal are cash */

    /* Diagonal d holds the cells (r0+i, b0+d-i), lo <= i <= hi.  The edge
     * below enters as entry d of diagonal d-1, the edge to the left as entry
     * -1; what the widened loop left there is overwritten by that. */
    for (long i = 0; i < m; i++) rd[i] = (double)(r0 + i);
    double *prev = buf0, *cur = buf1;
    prev[-1] = right[0];
    prev[0] = top[0];
    for (long d = 0; d < m + k - 1; d++) {
        const long lo = d < k ? 0 : d - k + 1, hi = d < m ? d : m - 1;
        const double s = (double)(r0 + b0 + d);
        long from = lo;
        if (stop >= lo) {       /* begin at the stopping boundary */
            from = stop < hi ? stop : hi;
            const long before = (from & -LANES) - 1;
            if (before >= 0) prev[before] = s - 1.0 - 2.0 * rd[before]; /* cash */
        }
        diagonal(cur, prev, rd, from, hi, s, may_stop);
        if (d + 1 < k) cur[-1] = right[d + 1];
        if (d + 1 < m) cur[d + 1] = top[d + 1];
        if (may_stop) {
            if (stop < lo) stop = lo;
            while (stop <= hi && cur[stop] == s - 2.0 * rd[stop]) stop++;
        }
        if (d >= m - 1) right[d - m + 1] = cur[m - 1];
        if (d >= k - 1) top[lo] = lo < stop ? s - 2.0 * rd[lo] : cur[lo];
        double *t = prev; prev = cur; cur = t;
    }
}

/* ---- pool: a queue of ready blocks, served by the threads ----------------- */
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static unsigned char *need;             /* unfinished predecessors per block */
static long *queue, qhead, qtail, ndone;

static void finished(long I, long J)    /* called with mu held */
{
    const long q = I * nb + J, old = qtail;
    if (I + 1 < nb && --need[q + nb] == 0) queue[qtail++] = q + nb;
    if (J + 1 < nb && --need[q + 1] == 0) queue[qtail++] = q + 1;
    if (++ndone == nb * nb) pthread_cond_broadcast(&wake);
    else if (qtail - old > 1) pthread_cond_signal(&wake);   /* we take one */
}

static void *worker(void *arg)
{
    (void)arg;
    /* Two diagonals and the red counts, 64-byte aligned, with room before and
     * behind; the odd 1344 bytes keep the three off each other's 4K alias. */
    const size_t bytes = (side * sizeof(double) + 256 + 4095) / 4096 * 4096 + 1344;
    char *mem = aligned_alloc(64, 3 * bytes);
    memset(mem, 0, 3 * bytes);
    double *buf0 = (double *)mem + LANES, *buf1 = (double *)(mem + bytes) + LANES;
    double *rd = (double *)(mem + 2 * bytes) + LANES;
    pthread_mutex_lock(&mu);
    for (;;) {
        while (qhead == qtail && ndone < nb * nb) pthread_cond_wait(&wake, &mu);
        if (ndone == nb * nb) break;
        const long q = queue[qhead++];
        pthread_mutex_unlock(&mu);
        block(q / nb, q % nb, buf0, buf1, rd);
        pthread_mutex_lock(&mu);
        finished(q / nb, q % nb);
    }
    pthread_mutex_unlock(&mu);
    free(mem);
    return NULL;
}

int main(int argc, char **argv)
{
    n = argc > 1 ? atol(argv[1]) : 0;
    const long threads = argc > 2 ? atol(argv[2]) : 1;
    side = argc > 3 ? atol(argv[3]) : DEFAULT_BLOCK;
    if (n < 1 || threads < 1 || side < 1) {
        fprintf(stderr, "usage: %s N THREADS [BLOCK]\n", argv[0]);
        return 2;
    }
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    if (side > n) side = n;
    nb = (n + side - 1) / side;
    row = malloc((n + 1) * sizeof *row);
    col = malloc((n + 1) * sizeof *col);
    need = malloc(nb * nb);
    queue = malloc(nb * nb * sizeof *queue);
    pthread_t *pool = malloc(threads * sizeof *pool);
    if (!row || !col || !need || !queue || !pool) return 1;
    for (long i = 0; i <= n; i++) row[i] = 0.0, col[i] = (double)i;
    for (long q = 0; q < nb * nb; q++) need[q] = (q / nb > 0) + (q % nb > 0);
    queue[qtail++] = 0;
    for (long t = 0; t < threads; t++) pthread_create(&pool[t], NULL, worker, NULL);
    for (long t = 0; t < threads; t++) pthread_join(pool[t], NULL);
    clock_gettime(CLOCK_MONOTONIC, &t1);
    printf("{\"value\": %.12f, \"seconds\": %.6f}\n", row[n],
        (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec));
    free(row); free(col); free(need); free(queue); free(pool);
    return 0;
}
