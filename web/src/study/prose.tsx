// A study's texts: paragraphs with blank lines between them, lists of lines that begin with a dash, headings with #.

export interface Block {
  kind: "paragraph" | "list" | "heading";
  lines: string[];
}

export function blocksOf(text: string): Block[] {
  const found: Block[] = [];
  for (const part of text.trim().split(/\n[ \t]*\n/)) {
    for (const line of part.split("\n").map((each) => each.trim())) {
      const kind = line.startsWith("- ") ? "list" : line.startsWith("# ") ? "heading" : "paragraph";
      const last = found.at(-1);
      const words = kind === "paragraph" ? line : line.slice(2);
      const first = part.trim().startsWith(line) && last !== undefined;
      if (last?.kind === kind && kind !== "heading" && !(first && kind === "paragraph")) last.lines.push(words);
      else if (line) found.push({ kind, lines: [words] });
    }
  }
  return found;
}

export function Prose({ text }: { text: string }) {
  return (
    <div class="prose">
      {blocksOf(text).map((block, index) => {
        if (block.kind === "list") return <ul key={index}>{block.lines.map((line) => <li key={line}>{line}</li>)}</ul>;
        if (block.kind === "heading") return <h2 key={index}>{block.lines[0]}</h2>;
        return <p key={index}>{block.lines.join(" ")}</p>;
      })}
    </div>
  );
}
