/** Reads a Dockerfile: the instructions that ours uses, with continuation lines joined and comments left out. */

export interface Instruction {
  name: string;
  /** `--from=build` and the like. */
  flags: Record<string, string>;
  text: string;
}

export interface Stage {
  base: string;
  name: string | null;
  instructions: Instruction[];
}

/** @throws Error for text before the first FROM, and for lines that are no instruction */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) throw new Error(`Not an instruction: ${line}`);
    if (name === 'FROM') {
      const [, base = '', , alias] = /^(\S+)(\s+AS\s+(\S+))?$/.exec(rest) ?? [];
      stages.push({ base, name: alias ?? null, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`Before the first FROM: ${line}`);
    stage.instructions.push(withFlags(name, rest));
  }
  return stages;
}

function withFlags(name: string, rest: string): Instruction {
  const flags: Record<string, string> = {};
  let text = rest;
  for (;;) {
    const match = /^--([a-z-]+)=(\S+)\s+/.exec(text);
    if (match === null) return { name, flags, text };
    flags[match[1] as string] = match[2] as string;
    text = text.slice(match[0].length);
  }
}

/** `["a", "b"]`, or a line for the shell. */
export function commandOf(text: string): string[] {
  return text.startsWith('[') ? (JSON.parse(text) as string[]) : ['/bin/sh', '-c', text];
}

/** `A=1 B=2` of an ENV instruction; values have no blanks. */
export function variablesOf(text: string): Record<string, string> {
  return Object.fromEntries(text.split(/\s+/).map((pair) => pair.split('=', 2) as [string, string]));
}
