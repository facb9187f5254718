import { readFileSync, writeFileSync } from 'node:fs';
import { servicesTable } from '../support/otherServices/whatWorks.ts';
import { SetupError } from './command.ts';
import { speedCharts, speedSection } from './howFast.ts';

interface Setting {
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly markdownDescription?: string;
}

interface Manifest {
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when?: string }[] };
  };
}

export type Words = Readonly<Record<string, string>>;

/** In the order they stand; a command belongs to the first that fits its id. */
const groups: readonly (readonly [title: string, ids: RegExp])[] = [
  ['First steps, demo', /^(demo|samples|getStarted)\b/],
  [
    'Sign-in and account',
    /^(signIn|signOut|switchProfile|\w+Profile|changeBaseUrl|manageKey|\w+Account|showMenu|copyValue)$/,
  ],
  ['Chat', /^(chat|chatSideBar|applyReplacement|discardReplacement)\b/],
  ['VS Code Chat, other extensions', /^(editorChat|manageExtensionAccess)\b/],
  ['Prompt files', /^prompt/i],
  ['Batch files', /^batchFile\b/],
  ['Files', /^files\b/],
  ['Batches', /^batches\b/],
  ['Rerank and find', /^(rerank|findByMeaning)\b/],
  ['Complete', /^complete\b/],
  ['Ghost text', /^ghostText\b/],
  ['Images, videos, gallery', /^(images|videos|gallery|media)\b/],
  ['Voices', /^voices\b/],
  ['Models', /^models\b/],
  ['When something goes wrong', /./],
];

/** Those of the side bar's chat have the same titles, and other ids only because the editor lists a command once. */
const twins = /^inferenceDesk\.chatSideBar\./;

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll(/\s*\n\s*/g, ' ');

function worded(text: string | undefined, words: Words): string {
  const [, key] = /^%(.+)%$/.exec(text ?? '') ?? [];
  return key === undefined ? (text ?? '') : (words[key] ?? '');
}

function shownDefault(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? 'see the setting' : `\`${text}\``;
}

export function settingsTable({ contributes }: Manifest, words: Words): string {
  const rows = Object.entries(contributes.configuration.properties).map(([id, setting]) => {
    const meaning = worded(setting.markdownDescription ?? setting.description, words);
    const linked = meaning.replaceAll(/`#inferenceDesk\.([\w.]+)#`/g, '`$1`');
    const values =
      setting.enum === undefined ? '' : ` One of ${setting.enum.map((value) => `\`${value}\``).join(', ')}.`;
    return `| \`${id.replace('inferenceDesk.', '')}\` | ${cell(shownDefault(setting.default))} | ${cell(linked + values)} |`;
  });
  return ['| setting | default | what it is |', '|---|---|---|', ...rows].join('\n');
}

export function commandsTable({ contributes }: Manifest, words: Words): string {
  const hidden = new Set(
    contributes.menus.commandPalette.flatMap(({ command, when }) => (when === 'false' ? command : [])),
  );
  const byGroup = new Map<string, string[]>(groups.map(([title]) => [title, []]));
  for (const { command, title } of contributes.commands) {
    if (twins.test(command)) continue;
    const id = command.replace('inferenceDesk.', '');
    const [group = ''] = groups.find(([, ids]) => ids.test(id)) ?? [];
    byGroup.get(group)?.push(`${cell(worded(title, words))}${hidden.has(command) ? ' ⋯' : ''}`);
  }
  const rows = [...byGroup].flatMap(([title, titles]) =>
    titles.length === 0 ? [] : `| ${title} | ${titles.join(' · ')} |`,
  );
  return ['| for | commands |', '|---|---|', ...rows].join('\n');
}

/** Puts a table between its marks. */
export function withTable(text: string, name: string, table: string): string {
  const marks = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!marks.test(text)) throw new SetupError(`The README has no marks for its table of ${name}.`);
  return text.replace(marks, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}

/** The README with the tables of what the manifest declares, of the services that are tried and of what the benchmarks measured. */
export function withTables(text: string): string {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
  const words = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Words;
  const served = withTable(withTable(text, 'speed', speedSection()), 'services', servicesTable());
  const settled = withTable(served, 'settings', settingsTable(manifest, words));
  return withTable(settled, 'commands', commandsTable(manifest, words));
}

/** Writes its tables, and the charts of speed. */
export function writeReadme(): void {
  writeFileSync('README.md', withTables(readFileSync('README.md', 'utf8')));
  for (const [file, chart] of speedCharts()) writeFileSync(file, chart);
}

/** `npm run readme` */
if (import.meta.main) writeReadme();
