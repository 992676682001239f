// Light or dark: the reader's choice, kept if the browser allows it; by default the system's setting.
{
  const root = document.documentElement;
  const choices = ["auto", "light", "dark"];
  const kept = () => {
    try { return localStorage.getItem("report-theme"); } catch { return null; }
  };
  const apply = (choice) => {
    root.dataset.theme = choice;
    try { localStorage.setItem("report-theme", choice); } catch { /* the browser may refuse storage to a local file */ }
  };
  root.dataset.theme = choices.includes(kept()) ? kept() : "auto";
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const label = () => {
      button.textContent = { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" }[root.dataset.theme];
      button.setAttribute("aria-label", `Theme: ${root.dataset.theme}`);
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      apply(choices[(choices.indexOf(root.dataset.theme) + 1) % choices.length]);
      label();
    });
    label();
  });
}
