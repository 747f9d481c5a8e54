// What has to happen for a dish: boxes in columns of time, as the server has laid them out.
import type { Graph } from "../protocol";
import { broken, shortened } from "../words";

const BOX = { width: 132, height: 44 };
const STEP = { x: 172, y: 43 };

export function DishGraph({ graph, unit }: { graph: Graph; unit: string }) {
  const columns = Math.max(0, ...graph.nodes.map((node) => node.column)) + 1;
  const x = (column: number): number => column * STEP.x + BOX.width / 2 + 8;
  const y = (at: number): number => at * STEP.y + BOX.height / 2 + 8;
  const lowest = Math.max(graph.height, ...graph.nodes.map((node) => node.y), 0);
  const width = (columns - 1) * STEP.x + BOX.width + 16;
  const height = lowest * STEP.y + BOX.height + 16;
  return (
    <div class="graph" tabIndex={0} role="group" aria-label={`How ${graph.name} is made`}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={inWords(graph)}>
        {graph.edges.map((points, index) => <path key={index} class="edge" d={curve(points.map(([column, at]) => [x(column), y(at)]))} />)}
        {graph.nodes.map((node) => {
          const lines = broken(node.name, 11.5, BOX.width - 12);
          return (
            <g key={`${node.name} ${node.column} ${node.y}`} transform={`translate(${x(node.column)} ${y(node.y)})`}>
              <title>{node.name}</title>
              <rect class="node" x={-BOX.width / 2} y={-BOX.height / 2} width={BOX.width} height={BOX.height} rx={8} />
              {lines.map((line, at) => <text key={at} y={-4 + (at - (lines.length - 1) / 2) * 13}>{line}</text>)}
              {node.duration > 0 && <text class="soft" y={BOX.height / 2 - 6}>{shortened(duration(node.duration, node.operator_time, unit), 9.5, BOX.width - 8)}</text>}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const duration = (all: number, hands: number, unit: string): string =>
  hands < all ? `${all} ${unit}${hands ? `, ${hands} by hand` : ", by itself"}` : `${all} ${unit}`;

/** A soft line from the right edge of a box to the left edge of another. */
function curve(points: [number, number][]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return "";
  const inner = points.slice(1, -1);
  const path: [number, number][] = [[first[0] + BOX.width / 2, first[1]], ...inner, [last[0] - BOX.width / 2, last[1]]];
  return path.reduce((d, [x, y], index) => {
    if (!index) return `M${x} ${y}`;
    const [before, level] = path[index - 1]!;
    const middle = (before + x) / 2;
    return `${d}C${middle} ${level} ${middle} ${y} ${x} ${y}`;
  }, "");
}

function inWords(graph: Graph): string {
  const at = new Map(graph.nodes.map((node) => [`${node.column} ${node.y}`, node.name]));
  const links = graph.edges.flatMap((points) => {
    const [from, to] = [at.get(points[0]?.join(" ") ?? ""), at.get(points.at(-1)?.join(" ") ?? "")];
    return from && to ? [`${from} before ${to}`] : [];
  });
  return `How ${graph.name} is made: ${links.join("; ") || graph.nodes.map((node) => node.name).join(", ")}`;
}
