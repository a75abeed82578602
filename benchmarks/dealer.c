/* How the dealer ends, for all ten up cards, as a plain recursion over all sequences of cards: the way of most programs.

   usage: dealer SHOES REPEATS; prints JSON. The dealer stands on every 17. Shoes are eight decks less a few cards, one shoe after another;
   `value` is the sum of all bust probabilities with a 6 up. */

#include "measure.h"

static int cards[10], total;
static double end[6]; /* 17 to 21, bust */

static void draw(int hard, int aces, int dealt, double p) {
    int soft = aces && hard <= 11, points = hard + (soft ? 10 : 0);
    if (points == 21 && dealt == 2) return; /* a blackjack */
    if (points >= 17) {
        end[points > 21 ? 5 : points - 17] += p;
        return;
    }
    double each = p / total;
    for (int r = 0; r < 10; r++)
        if (cards[r]) {
            double q = each * cards[r];
            cards[r]--, total--;
            draw(hard + r + 1, aces || r == 0, dealt + 1, q);
            cards[r]++, total++;
        }
}

int main(int count, char **words) {
    int shoes = count > 1 ? atoi(words[1]) : 100, repeats = count > 2 ? atoi(words[2]) : 5;
    double *seconds = malloc(repeats * sizeof *seconds), value = 0.0;
    for (int i = 0; i < repeats; i++) {
        double begin = now();
        value = 0.0;
        for (int shoe = 0; shoe < shoes; shoe++) {
            total = 0;
            for (int r = 0; r < 10; r++) total += cards[r] = (r == 9 ? 128 : 32) - (shoe * (r + 3)) % 7;
            for (int up = 0; up < 10; up++) {
                memset(end, 0, sizeof end);
                cards[up]--, total--;
                draw(up + 1, up == 0, 1, 1.0);
                cards[up]++, total++;
                if (up == 5) value += end[5];
            }
        }
        seconds[i] = now() - begin;
    }
    report(seconds, repeats, value, shoes);
    return 0;
}
