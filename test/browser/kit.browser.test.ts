import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useBrowser } from '#test/kit/chromium.ts';

describe('the browser of the test kit', () => {
  const browser = useBrowser();
  let server: Server;
  let address: string;

  beforeAll(async () => {
    server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<title>hello</title><script>console.warn("a word"); document.title += navigator.userAgent</script>',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('shows a page, says what it complained about and does not look automated', async () => {
    const { page, complaints, requests } = await browser.newPage();
    await page.goto(address);
    expect(await page.title()).toMatch(/^helloMozilla.*Chrome\/\d+/);
    expect(await page.title()).not.toContain('Headless');
    expect(await page.evaluate('navigator.webdriver')).toBe(false);
    expect(complaints).toEqual(['a word']);
    expect(requests[0]).toBe(`GET ${address}`);
  });
});
