/* Ten Thousand as a race for two, as a specialist would solve it: pairs of scores from the end of the game backwards, and for each
   pair policy iteration (Newton's method) on the two unknowns x = w(i, j) and y = w(j, i), the probabilities of whoever begins a turn.

   Within a turn, by chips collected (t) and dice to roll (n):
     stay(t, n) = 1 if i + t >= goal, else the larger of bank: 1 - w(j, i + t) (t > 0) and roll(t, n)
     roll(t, n) = (nothing(n) (1 - y) + sum over what can score of ways * max over what is set aside of stay(t + chips, n - dice)) / 6^n
   all of it affine in y for the best choices; if all five dice score, all are set aside and rolled anew. With -DDICE=6 it is Farkle, in
   which any scoring dice may be set aside.

   usage: ten_thousand_race GOAL REPEATS; prints JSON. No rules are read, no states are looked for, nothing is bounded. */

#include <math.h>
#include "measure.h"

#ifndef DICE
#define DICE 5 /* 6: Farkle */
#endif
enum { MOST = 128, KINDS = 7 * 7 * 81 };

typedef struct { int chips, dice; } Part;
typedef struct { double ways; int parts; Part part[32]; } Roll;

static const int faces[4] = {2, 3, 4, 6};
static Roll rolls[DICE + 1][MOST];
static int kinds[DICE + 1];
static double nothing[DICE + 1];
static int goal;
static double *win;                 /* win[i * goal + j] */
static double *stay, *slope;        /* [t * (DICE + 1) + n], of the turn that is being swept */

/* All rolls of n dice, by what scores (fives, ones, triples of the other faces) and what of it can be set aside. */
static void tabulate(int n) {
    static int seen[KINDS];
    int total = 1;
    for (int k = 0; k < n; k++) total *= 6;
    memset(seen, 0, sizeof seen);
    for (int code = 0; code < total; code++) {
        int count[7] = {0}, kind = 0;
        for (int k = 0, rest = code; k < n; k++, rest /= 6) count[rest % 6 + 1]++;
        for (int t = 0; t < 4; t++) kind = kind * 3 + count[faces[t]] / 3;
        seen[(kind * 7 + count[5]) * 7 + count[1]]++;
    }
    for (int kind = 0; kind < KINDS; kind++) {
        if (!seen[kind]) continue;
        int o = kind % 7, f = kind / 7 % 7, triples[4], all = f + o;
        for (int t = 3, rest = kind / 49; t >= 0; t--, rest /= 3) triples[t] = rest % 3, all += 3 * triples[t];
        double ways = (double)seen[kind] / total;
        if (kind == 0) { nothing[n] = ways; continue; }
        Roll *roll = &rolls[n][kinds[n]++];
        roll->ways = ways;
        for (int code = 0; code < 81; code++) {
            int kept = 0, chips = 0, fits = 1;
            for (int t = 3, rest = code; t >= 0; t--, rest /= 3)
                kept += 3 * (rest % 3), chips += 2 * faces[t] * (rest % 3), fits &= rest % 3 <= triples[t];
            for (int a = 0; fits && a <= f; a++) for (int b = 0; b <= o; b++) {
                int dice = kept + a + b;
                if (dice == 0 || (DICE == 5 && all == n && dice < n)) continue;
                roll->part[roll->parts++] = (Part){chips + a + 7 * (a / 3) + 2 * b + 14 * (b / 3), dice};
            }
        }
    }
}

/* One sweep over the turns of (i, j) with y = w(j, i): w(i, j), and its slope by y. */
static double sweep(int i, int j, double y, double *by) {
    for (int t = goal - i - 1; t >= 0; t--)
        for (int n = t ? 1 : DICE; n <= DICE; n++) {
            double value = nothing[n] * (1.0 - y), lean = -nothing[n];
            for (int k = 0; k < kinds[n]; k++) {
                const Roll *roll = &rolls[n][k];
                double best = -1.0, best_lean = 0.0;
                for (int p = 0; p < roll->parts; p++) {
                    int after = t + roll->part[p].chips, left = n - roll->part[p].dice;
                    if (i + after >= goal) { best = 1.0, best_lean = 0.0; break; }
                    int at = after * (DICE + 1) + (left ? left : DICE);
                    if (stay[at] > best) best = stay[at], best_lean = slope[at];
                }
                value += roll->ways * best, lean += roll->ways * best_lean;
            }
            double banked = t ? 1.0 - win[(size_t)j * goal + i + t] : -1.0;
            int bank = banked > value;
            stay[t * (DICE + 1) + n] = bank ? banked : value;
            slope[t * (DICE + 1) + n] = bank ? 0.0 : lean;
        }
    *by = slope[DICE];
    return stay[DICE];
}

/* A guess of w(i, j): as if a mixed difference of the pairs that are solved were zero, of the second order both ways if there are so many. */
static double guess(int i, int j) {
    static const double signed_[3][3] = {{1, 0, 0}, {1, -1, 0}, {1, -2, 1}};
    for (int order = 2; order > 0; order--) {
        if (i + order >= goal || j + order >= goal) continue;
        double found = 0.0;
        for (int a = 0; a <= order; a++) for (int b = 0; b <= order; b++)
            if (a + b) found -= signed_[order][a] * signed_[order][b] * win[(size_t)(i + a) * goal + j + b];
        return found;
    }
    return 0.5;
}

static void solve(void) {
    for (int sum = 2 * (goal - 1); sum >= 0; sum--)
        for (int i = sum / 2 + sum % 2; i <= sum && i < goal; i++) {
            int j = sum - i;
            double x = guess(i, j), y = guess(j, i);
            for (int round = 0; round < 60; round++) {
                double a, b, f = sweep(i, j, y, &a), next_x, next_y;
                if (i == j) {
                    next_x = next_y = (f - a * y) / (1.0 - a);
                } else {
                    double g = sweep(j, i, x, &b), r = f - a * y, s = g - b * x;
                    next_x = (r + a * s) / (1.0 - a * b);
                    next_y = s + b * next_x;
                }
                int done = fabs(next_x - x) + fabs(next_y - y) < 1e-15;
                x = next_x, y = next_y;
                if (done) break;
            }
            win[(size_t)i * goal + j] = x;
            win[(size_t)j * goal + i] = y;
        }
}

int main(int count, char **words) {
    goal = count > 1 ? atoi(words[1]) : 200;
    int repeats = count > 2 ? atoi(words[2]) : 1;
    double *seconds = malloc(repeats * sizeof *seconds);
    for (int n = 1; n <= DICE; n++) tabulate(n);
    win = calloc((size_t)goal * goal, sizeof *win);
    stay = malloc((size_t)(goal + 1) * (DICE + 1) * sizeof *stay);
    slope = malloc((size_t)(goal + 1) * (DICE + 1) * sizeof *slope);
    for (int n = 0; n < repeats; n++) {
        double begin = now();
        solve();
        seconds[n] = now() - begin;
    }
    report(seconds, repeats, 2.0 * win[0] - 1.0, (long)goal * goal);
    return 0;
}
