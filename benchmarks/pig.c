/* Pig to a goal as a specialist would solve it: pairs of scores from the end of the game backwards, and for each pair Newton's
   method (policy iteration) on the two unknowns x = v(i, j, 0) and y = v(j, i, 0).

   v(i, j, k) = P(win) - P(loss) of the player to move with score i, opponent j, turn total k
              = 1 if i + k >= goal, else the larger of
                roll: (-v(j, i, 0) + v(i, j, k+2) + ... + v(i, j, k+6)) / 6    hold (k > 0): -v(j, i+k, 0)

   usage: pig GOAL REPEATS; prints JSON. No bounds of its error are computed, no rules are read, no states are looked for. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "measure.h"

static int goal;
static double *start;        /* start[j * goal + i] = v(i, j, 0): as hold reads it, contiguous in i */
static double *value;        /* all states, a row of turn totals for each pair */
static unsigned char *holds; /* all states: 1 where holding is best */

/* One sweep over the turn totals of (i, j) with y = v(j, i, 0) given: v and dv/dy; returns v(i, j, 0). */
static double sweep(int i, int j, double y, double *restrict v, double *restrict slope, unsigned char *restrict hold) {
    int turns = goal - i;
    const double *after = start + (size_t)i * goal + j; /* after[k * goal] = v(j, i + k, 0) */
    for (int k = turns; k < turns + 6; k++) v[k] = 1.0, slope[k] = 0.0;
    for (int k = turns - 1; k >= 0; k--) {
        double roll = (((v[k + 6] + v[k + 5]) + (v[k + 4] + v[k + 3])) + (v[k + 2] - y)) * (1.0 / 6.0);
        double by = (((slope[k + 6] + slope[k + 5]) + (slope[k + 4] + slope[k + 3])) + (slope[k + 2] - 1.0)) * (1.0 / 6.0);
        double held = k ? -after[(size_t)k * goal] : -2.0;
        int is_hold = held > roll;
        v[k] = is_hold ? held : roll;
        slope[k] = is_hold ? 0.0 : by;
        hold[k] = (unsigned char)is_hold;
    }
    return v[0];
}

static void solve(void) {
    size_t width = (size_t)goal + 6;
    double *slope = malloc(2 * width * sizeof *slope);
    for (int sum = 2 * (goal - 1); sum >= 0; sum--)
        for (int i = sum / 2 + sum % 2; i <= sum && i < goal; i++) {
            int j = sum - i;
            double *vi = value + ((size_t)i * goal + j) * width, *vj = value + ((size_t)j * goal + i) * width;
            unsigned char *hi = holds + ((size_t)i * goal + j) * width, *hj = holds + ((size_t)j * goal + i) * width;
            double x = 0.0, y = 0.0;
            for (int round = 0; round < 60; round++) {
                double f = sweep(i, j, y, vi, slope, hi), a = slope[0], g, b, next_x, next_y;
                if (i == j) {
                    next_x = next_y = (f - a * y) / (1.0 - a);
                } else {
                    g = sweep(j, i, x, vj, slope + width, hj), b = slope[width];
                    double r = f - a * y, s = g - b * x; /* x = r + a y,  y = s + b x */
                    next_x = (r + a * s) / (1.0 - a * b);
                    next_y = s + b * next_x;
                }
                int done = fabs(next_x - x) + fabs(next_y - y) < 4e-16;
                x = next_x, y = next_y;
                if (done) break;
            }
            start[(size_t)j * goal + i] = x;
            start[(size_t)i * goal + j] = y;
        }
    free(slope);
}

int main(int count, char **words) {
    goal = count > 1 ? atoi(words[1]) : 100;
    int repeats = count > 2 ? atoi(words[2]) : 9;
    size_t pairs = (size_t)goal * goal, width = (size_t)goal + 6;
    double *seconds = malloc(repeats * sizeof *seconds);
    for (int n = 0; n < repeats; n++) {
        double begin = now();
        start = malloc(pairs * sizeof *start);
        value = malloc(pairs * width * sizeof *value);
        holds = malloc(pairs * width);
        solve();
        seconds[n] = now() - begin;
        if (n == repeats - 1) report(seconds, repeats, start[0], (long)goal * goal * (goal + 1) / 2);
        free(start), free(value), free(holds);
    }
    return 0;
}
