// The colour scheme: the system's, or the one that was chosen here. Runs before anything is drawn.
(() => {
  const kept = () => { try { return localStorage.getItem("backburner-theme"); } catch { return null; } };
  const keep = (value) => { try { localStorage.setItem("backburner-theme", value); } catch { /* private: forgotten */ } };
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  if (["dark", "light"].includes(kept())) root.dataset.theme = kept();
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    const tell = () => { button.textContent = dark() ? "light colours" : "dark colours"; };
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      keep(root.dataset.theme);
      tell();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
    tell();
    button.hidden = false;
  });
})();
