// A study's texts: the server has read their blocks, and here each becomes an element; a link says where it would lead.
import type { Block } from "./protocol";

type Runs = Block["lines"][number];

export function Prose({ text }: { text: readonly Block[] }) {
  return <div class="prose">{text.map((block, index) => <Shown key={index} block={block} />)}</div>;
}

function Shown({ block }: { block: Block }) {
  const items = block.lines.map((line, index) => <li key={index}><Words runs={line} /></li>);
  const first = block.lines[0] ?? [];
  switch (block.kind) {
    case "list":
      return <ul>{items}</ul>;
    case "numbers":
      return <ol>{items}</ol>;
    case "heading":
      return <h2><Words runs={first} /></h2>;
    case "picture":
      return <figure><img src={place(block)} alt={first[0]?.text ?? ""} /></figure>;
    case "video":
      return <figure><video src={place(block)} aria-label={first[0]?.text ?? ""} controls playsInline preload="metadata" /></figure>;
    default:
      return <p><Words runs={first} /></p>;
  }
}

const place = ({ source }: Block): string => `${location.pathname.replace(/\/+$/, "")}/media/${encodeURIComponent(source ?? "")}`;

function Words({ runs }: { runs: Runs }) {
  return (
    <>
      {runs.map(({ text, mark }, index) => {
        if (mark === "strong") return <strong key={index}>{text}</strong>;
        if (mark === "em") return <em key={index}>{text}</em>;
        return mark ? <span key={index} class="address">{text}</span> : text;
      })}
    </>
  );
}
