// Long names that break where a reader would break them.
import { Fragment } from "preact";

/** An id that breaks behind its slashes and commas, and nowhere else if it need not. */
export function Breakable({ text }: { text: string }) {
  return <>{text.split(/(?<=[/@,+_])/).map((part, index) => <Fragment key={index}>{index > 0 && <wbr />}{part}</Fragment>)}</>;
}
