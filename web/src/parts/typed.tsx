// The id of a scenario, small, beside its name: what people type.
import { Breakable } from "./breakable";

export const Typed = ({ id }: { id: string }) => <code class="typed"><Breakable text={id} /></code>;
