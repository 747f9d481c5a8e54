// The first page.
export function Home() {
  return (
    <main class="frame">
      <h1>Backburner</h1>
    </main>
  );
}
