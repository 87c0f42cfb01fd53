/** What elements of the page show, as a PNG image: a copy of them with their styles, drawn by the browser. */

/** Pixels of the image for each of the page. */
const SCALE = 2;
/** Browsers draw no larger images. */
const MAX_PIXELS = 16_000;
const PADDING = 24;
const TITLE_HEIGHT = 32;
/** Names of axes stand out of their charts by half a line. */
const OUTSIDE = 12;

/** What the look of charts and tables depends on; shorthands hold the rest. */
const styles = [
  ...['display', 'position', 'top', 'right', 'bottom', 'left', 'box-sizing', 'width', 'height', 'margin', 'padding'],
  ...[
    'border-top',
    'border-right',
    'border-bottom',
    'border-left',
    'border-radius',
    'border-collapse',
    'border-spacing',
  ],
  ...[
    'background-color',
    'background-image',
    'background-size',
    'color',
    'opacity',
    'visibility',
    'overflow',
    'outline',
  ],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'line-height', 'font-variant-numeric'],
  ...['letter-spacing', 'text-align', 'text-transform', 'text-overflow', 'white-space'],
  ...['overflow-wrap', 'vertical-align', 'list-style-type', 'text-decoration-line', 'clip-path', 'z-index'],
  ...[
    'flex',
    'flex-flow',
    'order',
    'gap',
    'align-items',
    'align-self',
    'align-content',
    'justify-content',
    'justify-self',
  ],
  ...['grid-template-columns', 'grid-template-rows', 'grid-column', 'grid-row', 'justify-items', 'table-layout'],
  ...[
    'transform',
    'transform-origin',
    'fill',
    'fill-opacity',
    'stroke',
    'stroke-width',
    'stroke-opacity',
    'stroke-dasharray',
  ],
  ...['stroke-linecap', 'stroke-linejoin', 'text-anchor', 'dominant-baseline', 'vector-effect', 'paint-order'],
] as const;

/** @param elements one below the other. @throws when the browser cannot draw them */
export async function imageOf(elements: readonly HTMLElement[], title: string): Promise<Blob> {
  const shown = elements.filter((element) => element.offsetHeight > 0);
  const width = Math.ceil(Math.max(...shown.map(({ offsetWidth }) => offsetWidth), 0));
  const height = Math.ceil(shown.reduce((sum, element) => sum + outerHeight(element), 2 * OUTSIDE));
  const page = getComputedStyle(document.body);
  const drawn = await loaded(svgOf(shown, width, height));
  const [whole, tall] = [width + 2 * PADDING, height + 2 * PADDING + TITLE_HEIGHT];
  const scale = Math.min(SCALE, MAX_PIXELS / Math.max(whole, tall));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(whole * scale);
  canvas.height = Math.round(tall * scale);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws no images.');
  context.scale(scale, scale);
  context.fillStyle = page.backgroundColor;
  context.fillRect(0, 0, whole, tall);
  context.fillStyle = page.color;
  context.font = `600 16px ${page.fontFamily}`;
  context.fillText(title, PADDING, PADDING + 14, width);
  context.drawImage(drawn, PADDING, PADDING + TITLE_HEIGHT, width, height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The image is too large.')) : resolve(blob)),
      'image/png',
    ),
  );
}

function outerHeight(element: HTMLElement): number {
  const { marginTop, marginBottom } = getComputedStyle(element);
  return element.offsetHeight + Number.parseFloat(marginTop) + Number.parseFloat(marginBottom);
}

function svgOf(elements: readonly HTMLElement[], width: number, height: number): string {
  const box = document.createElement('div');
  // Margins of neighbors do not collapse, so that the height is their sum.
  box.style.cssText = `display: flex; flex-direction: column; box-sizing: border-box; padding: ${OUTSIDE}px 0; width: ${width}px; height: ${height}px`;
  box.append(...elements.map(styledCopy));
  const content = new XMLSerializer().serializeToString(box);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<foreignObject width="100%" height="100%">${content}</foreignObject></svg>`
  );
}

function styledCopy(element: HTMLElement): Node {
  const copy = element.cloneNode(true) as HTMLElement;
  const originals = [element, ...element.querySelectorAll<HTMLElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<HTMLElement>('*')];
  for (const [at, own] of copies.entries()) {
    const computed = getComputedStyle(originals[at] as HTMLElement);
    for (const name of styles) own.style.setProperty(name, computed.getPropertyValue(name));
    own.style.setProperty('flex-shrink', '0');
    own.removeAttribute('class');
  }
  // Nobody can choose in an image.
  for (const control of copy.querySelectorAll('input')) control.remove();
  return copy;
}

async function loaded(svg: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}

/** Saves a file that was made in the browser. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has begun when the next task runs.
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
