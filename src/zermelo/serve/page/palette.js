// The colours of `zermelo plot`: Okabe and Ito's (2008), which colour-blind people can tell apart, the maps viridis and from losses to wins.

export const BLUE = "#0072B2", ORANGE = "#E69F00", GREEN = "#009E73", RED = "#D55E00", SKY = "#56B4E9", GREY = "#9A9A9A";
export const ACTIONS = ["#DCE9F4", BLUE, ORANGE, GREEN, RED, SKY, "#CC79A7", "#F0E442"]; // best actions in a map

const VIRIDIS = [
  [68, 1, 84], [71, 13, 96], [72, 24, 106], [72, 35, 116], [71, 45, 123], [69, 54, 129], [66, 64, 134], [63, 73, 137],
  [59, 82, 139], [55, 90, 141], [51, 99, 141], [47, 106, 142], [44, 114, 142], [41, 122, 142], [38, 129, 142], [35, 137, 142],
  [33, 144, 140], [31, 152, 139], [31, 159, 136], [33, 166, 133], [40, 174, 128], [49, 181, 123], [62, 188, 116], [76, 194, 108],
  [93, 201, 99], [110, 206, 88], [130, 211, 76], [150, 216, 63], [171, 220, 50], [192, 223, 36], [213, 226, 26], [234, 229, 26],
  [253, 231, 37],
];

const RESULTS = ["#D55E00", "#F7F7F7", "#0072B2"]; // of a loss, of what is even, of a win

// The colour of a number from 0 to 1 in two hues that meet at 1/2, as [red, green, blue].
export function diverging(share) {
  const at = 2 * Math.min(Math.max(share, 0), 1), low = Math.min(Math.floor(at), 1);
  const [from, to] = [channels(RESULTS[low]), channels(RESULTS[low + 1])];
  return from.map((c, k) => Math.round(c + (at - low) * (to[k] - c)));
}

// The colour of a number from 0 to 1, as [red, green, blue].
export function viridis(share) {
  const at = Math.min(Math.max(share, 0), 1) * (VIRIDIS.length - 1);
  const low = Math.min(Math.floor(at), VIRIDIS.length - 2);
  return VIRIDIS[low].map((c, k) => Math.round(c + (at - low) * (VIRIDIS[low + 1][k] - c)));
}

export function channels(colour) {
  return [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
}
