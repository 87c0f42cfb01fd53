/** A collector in a process of its own, for tests of several: prints its address, and ends with its parent. */
import { startCollector } from '#test/kit/wire/collector.ts';

const [databaseUrl = ''] = process.argv.slice(2);
const collector = await startCollector(databaseUrl);
process.stdout.write(`${collector.url}\n`);
process.stdin.resume().once('end', () => void collector.stop());
