// Which page stands at which path.
import { render } from "preact";
import { Home } from "./pages/home";

const root = document.getElementById("page");
if (root) render(<Home />, root);
