/* What both C programs need to be timed. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Peak memory of this program in MiB; unlike getrusage's it does not count the program that started it. */
static double peak_mib(void) {
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "VmHWM:", 6)) kib = atol(line + 6);
    if (file) fclose(file);
    return kib / 1024.0;
}

static void report(double *seconds, int repeats, double value, long states) {
    qsort(seconds, repeats, sizeof *seconds, by_size);
    printf("{\"seconds\": %.9f, \"value\": %.17g, \"states\": %ld, \"peak_mib\": %.1f}\n", seconds[repeats / 2], value, states,
           peak_mib());
}
