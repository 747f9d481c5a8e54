// The games that were opened in this browser.
import { useEffect, useState } from "preact/hooks";
import { amount } from "../words";
import { download, games as openGames, type GameTold } from "../api";
import { forget, keptGames } from "../kept";
import { address } from "../parts/host";
import { Sign } from "../parts/sign";

const FEW = 5;

/** A game that the server does not have open is over. */
const isOver = (game: GameTold | undefined): boolean => !game || game.status === "over";

function standing(game: GameTold | undefined): string {
  if (game?.why) return game.why;
  if (!game || isOver(game)) return "over";
  return game.status === "lobby" ? "waits for people" : `is played, ${amount(game.steps, "step")} so far`;
}

export function YourGames() {
  const [games, setGames] = useState(keptGames);
  const [all, setAll] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [told, setTold] = useState<ReadonlyMap<string, GameTold> | null>(null);
  useEffect(() => {
    if (!games.length) return;
    openGames().then((found) => setTold(new Map(found.map((game) => [game.game, game]))), () => undefined); // the list is there without
  }, []);
  if (!games.length) return null;
  return (
    <section class="card" aria-labelledby="your-games">
      <h2 id="your-games">Your games</h2>
      <ul class="games">
        {(all ? games : games.slice(0, FEW)).map((game) => (
          <li key={game.opened.game}>
            <div class="grow">
              <b>{game.title}</b>
              <span class="soft small">{`${new Date(game.at).toLocaleString()}${game.seat ? ` · you are ${game.seat}` : ""}${told ? ` · ${standing(told.get(game.opened.game))}` : ""}`}</span>
            </div>
            <a class="button" href={address("play", (game.seat && game.opened.seats[game.seat]) || game.opened.host)}>{told && isOver(told.get(game.opened.game)) ? "Look back" : game.seat ? "Go on" : "Open"}</a>
            {game.opened.watch && <a class="button quiet" href={address("watch", game.opened.watch)}>Watch</a>}
            <button
              type="button" class="quiet" onClick={() => {
                setTrouble("");
                download(game.opened.host, game.opened.game).catch((error: Error) => setTrouble(error.message));
              }}
            >Record</button>
            <button
              type="button" class="quiet" aria-label={`Forget ${game.title}`} title="Take it off this list; the server keeps the game" onClick={() => {
                forget(game.opened.game);
                setGames(keptGames());
              }}
            ><Sign of="close" /></button>
          </li>
        ))}
      </ul>
      {games.length > FEW && !all && <button type="button" class="quiet" onClick={() => setAll(true)}>{`${games.length - FEW} older ones`}</button>}
      {trouble && <p class="news refused" role="alert">{trouble}</p>}
    </section>
  );
}
