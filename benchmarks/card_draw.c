/* Red and black as a specialist would solve it: two rows of values, a byte of policy for every state.

   v(r, b) = max(0, (r (1 + v(r-1, b)) + b (-1 + v(r, b-1))) / (r + b))

   usage: card_draw N REPEATS; prints JSON. No bounds of its error are computed, no rules are read, no states are looked for. */

#include "measure.h"

static double solve(int n, unsigned char *draws) {
    double *before = calloc(n + 1, sizeof *before), *row = calloc(n + 1, sizeof *row); /* v(r-1, .), v(r, .) */
    for (int r = 0; r <= n; r++) {
        for (int b = 0; b <= n; b++) {
            double gain = 0.0;
            if (r) gain += r * (1.0 + before[b]);
            if (b) gain += b * (row[b - 1] - 1.0);
            double draw = r + b ? gain / (r + b) : 0.0;
            row[b] = draw > 0.0 ? draw : 0.0;
            draws[(size_t)r * (n + 1) + b] = draw > 0.0;
        }
        double *swap = before;
        before = row, row = swap;
    }
    double value = before[n];
    free(before), free(row);
    return value;
}

int main(int count, char **words) {
    int n = count > 1 ? atoi(words[1]) : 1000, repeats = count > 2 ? atoi(words[2]) : 9;
    double *seconds = malloc(repeats * sizeof *seconds), value = 0.0;
    for (int i = 0; i < repeats; i++) {
        double begin = now();
        unsigned char *draws = malloc((size_t)(n + 1) * (n + 1));
        value = solve(n, draws);
        seconds[i] = now() - begin;
        free(draws);
    }
    report(seconds, repeats, value, (long)(n + 1) * (n + 1));
    return 0;
}
