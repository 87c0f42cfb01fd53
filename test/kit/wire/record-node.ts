/** Plays one case with one version of posthog-node and writes what came of it. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { writeFixture } from './fixture.ts';
import type { NodeCase, NodeClient } from './node-cases.ts';
import type { Recorder } from './recorder.ts';

type Client = NodeClient;
interface Package {
  PostHog: new (token: string, options: Record<string, unknown>) => Client;
}

/** @param packageFolder where posthog-node of this version is */
export async function recordInNode(
  recorder: Recorder,
  test: NodeCase,
  version: string,
  packageFolder: string,
): Promise<string> {
  const token = `phc_wire_node_${version.replaceAll('.', '_')}_${test.name}`;
  recorder.begin({
    token,
    dist: packageFolder,
    page: '',
    remote: {},
    ...(test.refuse === undefined ? {} : { refuse: test.refuse }),
  });
  const before = { ...process.env };
  Object.assign(process.env, test.environment);
  try {
    const { PostHog } = createRequire(join(packageFolder, 'package.json'))(packageFolder) as Package;
    const client = new PostHog(token, {
      host: `http://127.0.0.1:${recorder.port}/ingest`,
      flushAt: 20,
      flushInterval: 300,
      fetchRetryDelay: 200,
      ...test.options,
    });
    test.drive(client);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await (client.shutdownAsync ?? client.shutdown).call(client);
  } finally {
    for (const name of Object.keys(test.environment ?? {})) delete process.env[name];
    Object.assign(process.env, before);
  }
  const head = { client: 'posthog-node', version, case: test.name, about: test.about, project: token, known: {} };
  const name = `posthog-node-${version}-${test.name}`;
  writeFixture(name, head, recorder.requests());
  return name;
}
