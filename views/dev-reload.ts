/** Loaded in development only: reloads the page after each build (src/web/dev.ts). */
let shown: string | null = null;

new EventSource('/_dev').addEventListener('message', ({ data }: MessageEvent<string>) => {
  if (shown !== null && shown !== data) location.reload();
  shown = data;
});
