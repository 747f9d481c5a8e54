// Which page stands at which address. Tokens stand behind the `#`: browsers send that to nobody.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Game } from "./pages/game";
import { Home } from "./pages/home";
import { pageAt } from "./pages/registry";
import "./study/page";
import "./study/researcher";

function App() {
  const [token, setToken] = useState(location.hash.slice(1));
  useEffect(() => {
    const changed = (): void => setToken(location.hash.slice(1));
    window.addEventListener("hashchange", changed);
    return () => window.removeEventListener("hashchange", changed);
  }, []);
  const Page = pageAt(location.pathname);
  if (Page) return <Page token={token} />;
  return location.pathname === "/" || !token ? <Home token={location.pathname === "/" ? token : ""} /> : <Game key={token} token={token} />;
}

const root = document.getElementById("page");
if (root) render(<App />, root);
