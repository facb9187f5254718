import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { parseSync, Visitor } from 'oxc-parser';

const file = 'src/platform/contributions.ts';

interface Contributions {
  readonly commandIds: readonly string[];
  readonly settingDefaults: Readonly<Record<string, unknown>>;
  readonly viewIds: readonly string[];
}

/** The data of `contributions.ts`, read in plain node: its functions need the editor, its lists do not. */
export async function readContributions(): Promise<Contributions> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    plugins: [
      {
        name: 'no editor',
        setup: (plugin) => {
          plugin.onResolve({ filter: /^vscode$/ }, () => ({ path: 'vscode', namespace: 'none' }));
          plugin.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {};' }));
        },
      },
    ],
  });
  const code = outputFiles[0]?.text ?? '';
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

/** The names of the `ContextKeys` interface, which exists only as a type. */
export function readContextKeys(): readonly string[] {
  const names: string[] = [];
  new Visitor({
    TSInterfaceDeclaration: (node) => {
      if (node.id.name !== 'ContextKeys') return;
      for (const member of node.body.body) {
        if (member.type === 'TSPropertySignature' && member.key.type === 'Literal')
          names.push(String(member.key.value));
      }
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return names;
}
