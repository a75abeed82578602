// Light or dark: as the system has it, unless somebody chose.
export function theme() {
  const button = document.getElementById("theme");
  const names = { "": "Colours: as the system", light: "Colours: light", dark: "Colours: dark" };
  const signs = { "": "◐", light: "☀", dark: "☾" };
  const order = ["", "light", "dark"];
  let chosen = "";
  try {
    chosen = localStorage.getItem("zermelo-theme") ?? "";
  } catch { /* no memory for this page */ }
  const apply = () => {
    if (chosen) document.documentElement.dataset.theme = chosen;
    else delete document.documentElement.dataset.theme;
    button.textContent = signs[chosen] ?? signs[""];
    button.title = names[chosen];
    button.setAttribute("aria-label", names[chosen]);
    document.dispatchEvent(new Event("recolour"));
  };
  button.addEventListener("click", () => {
    chosen = order[(order.indexOf(chosen) + 1) % order.length];
    try {
      localStorage.setItem("zermelo-theme", chosen);
    } catch { /* likewise */ }
    apply();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  apply();
}
