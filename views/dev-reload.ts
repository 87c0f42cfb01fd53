/** Loaded in development only: the watching build says when it is done (src/web/dev.ts), and the page is reloaded. */
let shown: string | null = null;

new EventSource('/_dev').addEventListener('message', ({ data }: MessageEvent<string>) => {
  if (shown !== null && shown !== data) location.reload();
  shown = data;
});
