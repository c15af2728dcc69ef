/* Random play of koi-koi by hand, for this one game and its default options: what the rules core is measured against.
 *
 * koikoi match|deal|anew N SEED: N playouts of whole matches, or of one deal from its first decision on, the cards that the
 * dealer does not see being dealt anew each time or not; prints the decisions, the seconds of processor time, and the sum
 * of what the winners have scored.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;

#define LIGHTS 0x110010000101ULL
#define ANIMALS 0x021121111010ULL
#define RIBBONS 0x042202222222ULL
#define CHAFF (0xffffffffffffULL ^ LIGHTS ^ ANIMALS ^ RIBBONS)
#define LANES 0x111111111111ULL
#define COUNT(mask) __builtin_popcountll(mask)
#define LOWEST(mask) __builtin_ctzll(mask)
#define BIT(card) (1ULL << (card))
#define MONTH(mask, card) ((int)((mask) >> ((card) & ~3)) & 15)

enum { MONTHS = 12, SEEN = 40, STOCK = 24, TESHI = 6, LAST_ATTEMPT = 15 };

/* Cards by id: four a month, the dearest first as in rules/notation. */
#define CARD(month, place) BIT(4 * ((month) - 1) + (place))

static u64 SANKO, TSUKIMI, HANAMI, BOAR_DEER_BUTTERFLY, AKATAN, AOTAN, RAIN;

static u64 random_state, decisions;

static inline u64 next64(void)
{
    u64 z = (random_state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static inline int choose(int n)
{
    return (int)(((next64() >> 32) * (u64)n) >> 32);
}

static inline int card_number(u64 mask, int n)
{
    while (n--)
        mask &= mask - 1;
    return LOWEST(mask);
}

static inline u64 whole_months(u64 mask)
{
    return (mask & mask >> 1 & mask >> 2 & mask >> 3 & LANES) * 15;
}

/* All cards of the months of which the mask holds exactly two. */
static inline u64 months_of_two(u64 mask)
{
    u64 a = mask & LANES, b = mask >> 1 & LANES, c = mask >> 2 & LANES, d = mask >> 3 & LANES;
    u64 odd = a ^ b ^ c ^ d, some = (a & b) | (c & d) | ((a ^ b) & (c ^ d));
    return (some & ~odd & ~(a & b & c & d)) * 15;
}

static int points(u64 pile)
{
    int lights = COUNT(pile & LIGHTS), animals = COUNT(pile & ANIMALS), ribbons = COUNT(pile & RIBBONS);
    int chaff = COUNT(pile & CHAFF), sum = 0;
    if (lights == 5)
        sum = 15;
    else if (lights == 4)
        sum = pile & RAIN ? 8 : 10;
    else if ((pile & SANKO) == SANKO)
        sum = 6;
    if (animals > 1) {
        sum += (pile & BOAR_DEER_BUTTERFLY) == BOAR_DEER_BUTTERFLY ? 5 : 0;
        sum += animals > 4 ? animals - 4 : 0;
    }
    sum += (pile & HANAMI) == HANAMI ? 5 : 0;
    sum += (pile & TSUKIMI) == TSUKIMI ? 5 : 0;
    if (ribbons > 2) {
        sum += (pile & AKATAN) == AKATAN ? 6 : 0;
        sum += (pile & AOTAN) == AOTAN ? 6 : 0;
        sum += ribbons > 4 ? ribbons - 4 : 0;
    }
    return sum + (chaff > 9 ? chaff - 9 : 0);
}

struct deal {
    u64 hand[2], pile[2], field;
    uint8_t cards[48]; /* the hands, the field and the stock */
    int dealer;
};

/* Shuffles so many cards, as far as they are looked at, an even number. Whatever order they are in, every order comes out
 * equally often.
 */
static inline void shuffle(uint8_t *cards, int count, int looked_at)
{
    for (int i = 0; i < looked_at; i += 2) {
        u64 drawn = next64();
        int j = i + (int)(((drawn >> 32) * (count - i)) >> 32);
        int k = i + 1 + (int)(((drawn & 0xffffffff) * (count - i - 1)) >> 32);
        uint8_t card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
        card = cards[i + 1];
        cards[i + 1] = cards[k];
        cards[k] = card;
    }
}

static void deal_cards(struct deal *deal)
{
    for (int attempt = 0;; attempt++) {
        shuffle(deal->cards, 48, SEEN);
        deal->hand[0] = deal->hand[1] = deal->pile[0] = deal->pile[1] = deal->field = 0;
        for (int i = 0; i < 8; i++) {
            deal->hand[0] |= BIT(deal->cards[i]);
            deal->hand[1] |= BIT(deal->cards[8 + i]);
            deal->field |= BIT(deal->cards[16 + i]);
        }
        u64 fours = whole_months(deal->field);
        if (fours && attempt < LAST_ATTEMPT)
            continue;
        deal->field ^= fours;
        deal->pile[deal->dealer] |= fours;
        return;
    }
}

/* Deals anew what the first seat does not see: the other hand and the stock. */
static void deal_anew(struct deal *deal)
{
    uint8_t hidden[32];
    memcpy(hidden, deal->cards + 8, 8);
    memcpy(hidden + 8, deal->cards + STOCK, 24);
    shuffle(hidden, 32, 24); /* eight of the stock are never turned */
    memcpy(deal->cards + 8, hidden, 8);
    memcpy(deal->cards + STOCK, hidden + 8, 24);
    deal->hand[1] = 0;
    for (int i = 0; i < 8; i++)
        deal->hand[1] |= BIT(hidden[i]);
}

/* Plays a deal to its end; adds to the balances and says who deals next. */
static int play(struct deal deal, int64_t *balance)
{
    int koi[2] = {0, 0}, stake[2] = {0, 0}, made[2] = {points(deal.pile[0]), points(deal.pile[1])};
    int held[2] = {8, 8};
    const uint8_t *top = deal.cards + STOCK;
    for (int asked = 0, seat = deal.dealer; asked < 2; asked++, seat ^= 1) {
        if (whole_months(deal.hand[seat])) {
            decisions++;
            if (choose(2)) {
                balance[seat] += TESHI;
                return seat;
            }
        }
    }
    for (int seat = deal.dealer; deal.hand[seat]; seat ^= 1) {
        u64 hand = deal.hand[seat], twice = hand & months_of_two(deal.field), gained = 0;
        int once = held[seat], n = choose(once + COUNT(twice)), second = n >= once, card;
        uint8_t *cards = deal.cards + 8 * seat;
        if (second) {
            card = card_number(twice, n - once);
            n = 0;
            while (cards[n] != card)
                n++;
        }
        card = cards[n];
        cards[n] = cards[--held[seat]];
        u64 month = deal.field & (15ULL << (card & ~3));
        decisions++;
        deal.hand[seat] ^= BIT(card);
        if (second)
            month &= month - 1;
        else if (BIT(card) & twice)
            month &= -month;
        if (month) {
            deal.field ^= month;
            gained = month | BIT(card);
        } else {
            deal.field |= BIT(card);
        }
        card = *top++;
        month = deal.field & (15ULL << (card & ~3));
        if (COUNT(month) == 2) {
            decisions++;
            month = choose(2) ? month & (month - 1) : month & -month;
        }
        if (month) {
            deal.field ^= month;
            gained |= month | BIT(card);
        } else if (MONTH(gained, card)) {
            gained |= BIT(card);
        } else {
            deal.field |= BIT(card);
        }
        if (!gained)
            continue;
        deal.pile[seat] |= gained;
        int now = points(deal.pile[seat]);
        if (now == made[seat])
            continue;
        made[seat] = now;
        if (deal.hand[seat]) {
            decisions++;
            if (choose(2)) {
                koi[seat]++;
                stake[seat] = now;
                continue;
            }
        }
        balance[seat] += (now + (koi[0] && koi[1] ? stake[seat ^ 1] : 0)) * (koi[0] || koi[1] ? 2 : 1);
        return seat;
    }
    balance[0] += koi[0] ? stake[0] : 0;
    balance[1] += koi[1] ? stake[1] : 0;
    return stake[0] == stake[1] ? deal.dealer : stake[1] > stake[0];
}

int main(int count, char **arguments)
{
    if (count != 4)
        return 2;
    int whole = !strcmp(arguments[1], "match"), anew = !strcmp(arguments[1], "anew");
    long playouts = atol(arguments[2]);
    int64_t won = 0;
    struct deal deal = {.dealer = 0};
    SANKO = CARD(1, 0) | CARD(3, 0) | CARD(8, 0);
    RAIN = CARD(11, 0);
    HANAMI = CARD(3, 0) | CARD(9, 0);
    TSUKIMI = CARD(8, 0) | CARD(9, 0);
    BOAR_DEER_BUTTERFLY = CARD(6, 0) | CARD(7, 0) | CARD(10, 0);
    AKATAN = CARD(1, 1) | CARD(2, 1) | CARD(3, 1);
    AOTAN = CARD(6, 1) | CARD(9, 1) | CARD(10, 1);
    random_state = strtoull(arguments[3], NULL, 10);
    for (int card = 0; card < 48; card++)
        deal.cards[card] = card;
    deal_cards(&deal);
    clock_t began = clock();
    for (long i = 0; i < playouts; i++) {
        int64_t balance[2] = {0, 0};
        if (!whole) {
            if (anew)
                deal_anew(&deal);
            play(deal, balance);
        } else {
            deal.dealer = choose(2);
            for (int month = 0; month < MONTHS; month++) {
                deal_cards(&deal);
                deal.dealer = play(deal, balance);
            }
        }
        won += balance[0] > balance[1] ? balance[0] : balance[1];
    }
    printf("%llu %.6f %lld\n", (unsigned long long)decisions, (double)(clock() - began) / CLOCKS_PER_SEC, (long long)won);
    return 0;
}
