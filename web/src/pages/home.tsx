// The first page: a new game in three choices (world, scenario, who plays), and the games that were opened here.
import { useEffect, useState } from "preact/hooks";
import { offers, type OffersTold, owner } from "../api";
import { address } from "../parts/host";
import { Today } from "../parts/records";
import { NewGame } from "./new_game";
import { YourGames } from "./your_games";
import { Logo, Theme } from "./header";

export function Home({ token }: { token: string }) {
  const [told, setTold] = useState<OffersTold | null>(null);
  const [trouble, setTrouble] = useState("");
  const [tries, setTries] = useState(0);
  const [chosen, setChosen] = useState("");
  useEffect(() => {
    owner(token);
    setTrouble("");
    offers().then(setTold, (error: Error) => setTrouble(error.message));
  }, [token, tries]);
  return (
    <>
      <header class="top">
        <span class="home"><Logo /></span>
        <div class="what"><h1>Backburner</h1></div>
        <nav aria-label="Page"><Theme /></nav>
      </header>
      <main class="frame">
        <p class="lead">Do several things at once while time passes: alone, with friends, with agents, with language models. Every game is kept as a record that can be played again.</p>
        {told?.watch && <p class="banner calm">Agents are playing right now. <a href={address("watch", told.watch)}>Watch them</a></p>}
        {trouble && (
          <div class="news refused" role="alert">
            <p>{trouble}</p>
            <Owner onToken={(found) => {
              owner(found);
              setTries(tries + 1);
            }} />
          </div>
        )}
        {!told && !trouble && <p class="soft" role="status">Looking what can be played …</p>}
        <YourGames />
        {told && <Today onPlay={setChosen} />}
        {told && <NewGame offers={told} chosen={chosen} />}
      </main>
    </>
  );
}

/** Where a server opens games with a token alone, and the address did not have it. */
function Owner({ onToken }: { onToken: (token: string) => void }) {
  const [token, setToken] = useState("");
  return (
    <form
      class="row" onSubmit={(event) => {
        event.preventDefault();
        onToken(token.trim());
      }}
    >
      <label class="grow">
        <span>The server's token, as it was printed when it was started</span>
        <input type="password" value={token} autocomplete="off" onInput={(event) => setToken(event.currentTarget.value)} />
      </label>
      <button type="submit">Try again</button>
    </form>
  );
}
