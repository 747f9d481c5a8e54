// The colour scheme: the system's, or the one that was chosen here. Runs before anything is drawn.
{
  const kept = (() => {
    try {
      return localStorage.getItem("backburner-theme");
    } catch {
      return null; // private: not kept
    }
  })();
  if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
}
