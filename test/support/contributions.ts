import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { parseSync, Visitor } from 'oxc-parser';
import type { TSType } from 'oxc-parser';

const file = 'src/platform/contributions.ts';

/** Stands in for VS Code, without the defaults of a manifest. */
const editor = 'exports.workspace = { getConfiguration: () => ({ inspect: () => undefined }) };';

interface Contributions {
  readonly settingDefaults: Readonly<Record<string, unknown>>;
  readonly viewIds: readonly string[];
}

/** Returns the data of `contributions.ts` in plain Node. Its functions require VS Code, but its lists don't. */
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
          plugin.onResolve({ filter: /^(?:vscode|@vscode\/l10n)$/ }, () => ({ path: 'vscode', namespace: 'none' }));
          plugin.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: editor }));
        },
      },
    ],
  });
  const code = outputFiles[0]?.text ?? '';
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
}

/** Returns the names of the `ContextKeys` interface, which exists only as a type. */
export function readContextKeys(): readonly string[] {
  return [...readContextValues().keys()];
}

/** Returns the allowed strings of each context key, empty for a key of another type. */
export function readContextValues(): ReadonlyMap<string, readonly string[]> {
  const aliases = new Map<string, TSType>();
  const members = new Map<string, TSType | undefined>();
  new Visitor({
    TSTypeAliasDeclaration: ({ id, typeAnnotation }) => void aliases.set(id.name, typeAnnotation),
    TSInterfaceDeclaration: (node) => {
      if (node.id.name !== 'ContextKeys') return;
      for (const member of node.body.body) {
        if (member.type === 'TSPropertySignature' && member.key.type === 'Literal')
          members.set(String(member.key.value), member.typeAnnotation?.typeAnnotation);
      }
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  const textsOf = (type: TSType | undefined): readonly string[] => {
    if (type?.type === 'TSUnionType') return type.types.flatMap(textsOf);
    if (type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier')
      return textsOf(aliases.get(type.typeName.name));
    if (type?.type !== 'TSLiteralType' || type.literal.type !== 'Literal') return [];
    return typeof type.literal.value === 'string' ? [type.literal.value] : [];
  };
  return new Map([...members].map(([name, type]) => [name, textsOf(type)]));
}
