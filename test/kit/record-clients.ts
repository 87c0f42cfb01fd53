/**
 * Records what the real clients send into test/fixtures/ingest: `node_modules/.bin/node test/kit/record-clients.ts [name …]`, where
 * a name is (the beginning of) a fixture's. Versions other than the installed ones are expected in WIRE_PACKAGES, one folder each:
 * `npm install --prefix $WIRE_PACKAGES/posthog-js-1.20.0 posthog-js@1.20.0`. Those that are missing are named and left out.
 */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from './chromium.ts';
import { browserCases } from './wire/browser-cases.ts';
import { nodeCases } from './wire/node-cases.ts';
import { recordInBrowser } from './wire/record-browser.ts';
import { recordInNode } from './wire/record-node.ts';
import { startRecorder } from './wire/recorder.ts';

const PORT = 4801;
const wanted = process.argv.slice(2);
const packages = process.env['WIRE_PACKAGES'] ?? join(tmpdir(), 'wire');

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.some((start) => name.startsWith(start));
}

/** Folder of a package in one version; null when it is not installed. */
function folderOf(client: string, version: string): string | null {
  const candidates = [
    join(packages, `${client}-${version}/node_modules`, client),
    join(process.cwd(), 'node_modules', client),
  ];
  for (const folder of candidates) {
    if (existsSync(join(folder, 'package.json')) && versionIn(folder) === version) return folder;
  }
  console.warn(`${client} ${version} is not installed`);
  return null;
}

function versionIn(folder: string): string {
  return process.getBuiltinModule('node:module').createRequire(join(folder, 'package.json'))('./package.json').version;
}

const recorder = await startRecorder(PORT);
const browser = await launchChromium();
try {
  for (const test of browserCases) {
    for (const version of test.versions) {
      if (!isWanted(`posthog-js-${version}-${test.name}`)) continue;
      const folder = folderOf('posthog-js', version);
      if (folder) console.log(await recordInBrowser(browser, recorder, test, version, folder));
    }
  }
  for (const test of nodeCases) {
    for (const version of test.versions) {
      if (!isWanted(`posthog-node-${version}-${test.name}`)) continue;
      const folder = folderOf('posthog-node', version);
      if (folder) console.log(await recordInNode(recorder, test, version, folder));
    }
  }
} finally {
  await browser.close();
  await recorder.stop();
}
