import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import * as l10n from '@vscode/l10n';
import { canRun, evalFacts, factLines } from '../../core/evals/evalFacts';
import type { EvalConfig, EvalProblem } from '../../core/evals/evalConfig';
import { planEval } from '../../core/evals/evalPlan';
import type { EvalPlan } from '../../core/evals/evalPlan';
import { openEvalFiles } from '../../core/evals/folderFiles';
import { evalText, readEval } from '../../core/evals/readEval';
import { currencyOf } from '../../core/profiles/knownServices';
import { isBelow } from '../../core/workspace/isBelow';
import { reasonOf } from '../reasonOf';
import { pricesFrom } from './evalService';
import { isChosen, runCommand } from './runCommands';
import type { RunRequest } from './runCommands';

export interface EvalOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Asks whoever sits at the terminal. Absent without one, as in CI. */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly language: string;
}

/** 0: fine. 1: worse. 2: can't tell. 3: incomplete, or the command could not be run. */
export type EvalExit = 0 | 1 | 2 | 3;

const commands = ['plan', 'run', 'submit', 'collect', 'gate'] as const;
type Command = (typeof commands)[number];

function usage(): string {
  const option = (name: string, text: string) => `  ${name.padEnd(28)}${text}`;
  return [
    l10n.t('Usage: {0}', 'node eval.js plan|run|submit|collect|gate <file> [options]'),
    '',
    l10n.t('Compares prompts and models on the rows of an eval file:'),
    l10n.t(
      'promptfooconfig.yaml, an OpenAI eval, an Inspect log, CSV, JSONL, or Parquet rows, or a prompt file. Code is never run.',
    ),
    '',
    option('plan', l10n.t('Show the size, price, and smallest detectable difference.')),
    option('run', l10n.t('Send the requests now, and compare the results.')),
    option('submit', l10n.t('Submit the requests as batches.')),
    option('collect', l10n.t('Download responses, submit requests for model grades, and compare the results.')),
    option('gate', l10n.t('Collect, and check for regressions from baseline.json or the first variant.')),
    '',
    option('--model <id>', l10n.t("Use this model instead of the file's models. Can be repeated.")),
    option('--prompt <file>', l10n.t("Use this prompt file instead of the file's prompts. Can be repeated.")),
    option('--rows <file>', l10n.t('Use the rows from this CSV, JSONL, or Parquet file.')),
    option('--repeat <n>', l10n.t('Repeat each request up to 20 times.')),
    option('--limit <n>', l10n.t('Use the first rows only, such as 3 for a smoke test.')),
    option('--judge <id>', l10n.t("Model for grades that can't be computed locally. Defaults to the run's.")),
    option('--embeddings <id>', l10n.t("Embedding model for comparing text. Defaults to the run's.")),
    option('--folder <path>', l10n.t('Run folder. Defaults to one next to the file, ending with .eval.')),
    option('--yes', l10n.t('Send requests without asking. Required without a terminal, such as in CI.')),
    option('--wait', l10n.t('Wait until the batches have ended.')),
    option('--margin <points>', l10n.t('Maximum acceptable drop in percentage points. Defaults to 5.')),
    option('--variant <id>', l10n.t('Check this variant in gate, or accept it as the baseline.')),
    option('--retry', l10n.t('Resend failed requests. You may be charged again for lost responses.')),
    option('--accept', l10n.t('Accept the results as the baseline in baseline.json next to the file.')),
    option('--allow-uncalibrated', l10n.t('Use model grades in gate without human labels.')),
    option('--junit <file>', l10n.t('Also write JUnit XML.')),
    option('--markdown <file>', l10n.t('Also write Markdown.')),
    option('--output <file>', l10n.t('Also write results as .json (promptfoo), .jsonl, or .csv. Can be repeated.')),
    option('--json', l10n.t('Write JSON.')),
    '',
    l10n.t('Set INFERENCE_DESK_BASE_URL and INFERENCE_DESK_API_KEY. The key is sent only to that URL.'),
    '',
    l10n.t('Exit codes: 0 if complete, 3 if incomplete or not run. With gate, 1 if worse and 2 if undecided.'),
    '',
  ].join('\n');
}

interface Arguments {
  readonly command: Command;
  readonly file: string;
  readonly models: readonly string[];
  readonly prompts: readonly string[];
  readonly rows: string | undefined;
  /** In place of the number in the file. */
  readonly repeats: number | undefined;
  readonly limit: number | undefined;
  readonly run: Omit<RunRequest, 'command' | 'file' | 'plan'>;
}

/** Runs the command line. Resolves to the exit code; never rejects. */
export async function runEvalCommand(args: readonly string[], output: EvalOutput): Promise<EvalExit> {
  const { out, err } = output;
  const options = readArguments(args);
  if (options === 'help') {
    out(usage());
    return 0;
  }
  if (typeof options === 'string') {
    err(`${options}\n\n${usage()}`);
    return 3;
  }
  try {
    const text = await evalText(options.file, await readFile(options.file));
    const config = await readEvalConfig(options, text);
    // A part of the rows runs without those that measure graders.
    const { limit } = options;
    const rows = limit === undefined ? config.rows : config.rows.filter(({ gold }) => !gold).slice(0, limit);
    const { repeats } = options;
    const plan = planEval({ ...config, rows, ...(repeats !== undefined && { repeats }) });
    err(problemText(config.problems, options.file, text));
    if (plan.repeatedIds.length > 0)
      err(`${l10n.t('Several rows have the same ID: {0}', plan.repeatedIds.join(', '))}\n`);
    const { command, file, run } = options;
    if (command === 'plan') return showPlan(options, { config, plan }, output);
    const { variant } = run;
    if (variant !== undefined && !plan.variants.some((one) => isChosen(one, variant))) {
      err(`${l10n.t('No variant is called "{0}".', variant)}\n`);
      return 3;
    }
    if (canRun(plan, config)) return await runCommand({ ...run, command, file, plan }, output);
    err(`${l10n.t("The eval has errors or no model, so it wasn't run.")}\n`);
    return 3;
  } catch (error) {
    err(`${options.file}: ${reasonOf(error)}\n`);
    return 3;
  }
}

function showPlan(
  { run }: Arguments,
  { config, plan }: { readonly config: EvalConfig; readonly plan: EvalPlan },
  { out, err, variables, language }: EvalOutput,
): EvalExit {
  const baseUrl = variables['INFERENCE_DESK_BASE_URL'];
  const facts = evalFacts(plan, pricesFrom(variables), run.models);
  if (run.json) {
    const variants = plan.variants.map(({ id, label }) => ({ id, label }));
    out(`${JSON.stringify({ ...facts, variants, problems: config.problems })}\n`);
  } else {
    out(`${factLines(facts, currencyOf(baseUrl), language, 'commandLine').join('\n')}\n`);
    for (const { id, label } of plan.variants) out(`  ${id}  ${label}\n`);
    if (plan.variants.length === 0)
      err(`${l10n.t('No model specified. Add --model, and --prompt if the file has no prompts.')}\n`);
  }
  return canRun(plan, config) ? 0 : 3;
}

async function readEvalConfig({ file, models, prompts, rows }: Arguments, text: string): Promise<EvalConfig> {
  const folder = dirname(resolve(file));
  const working = process.cwd();
  const files = await openEvalFiles(isBelow(working, folder) ? working : folder, folder);
  return readEval(file, text, files, {
    models,
    prompts: prompts.map((path) => resolve(path)),
    ...(rows !== undefined && { rows: resolve(rows) }),
  });
}

/** One line per problem, with its place in the file. */
function problemText(problems: readonly EvalProblem[], file: string, text: string): string {
  const lines = problems.map(({ kind, path, mark, message, span, file: other }) => {
    const before = text.slice(0, span.start);
    const line = before.split('\n').length;
    const place = other === undefined ? `${file}:${line}:${span.start - before.lastIndexOf('\n')}` : other;
    return `${place}: ${kind} ${path}${mark === undefined ? '' : ` ${mark}`} ${message}`.replace(/ {2,}/g, ' ');
  });
  return lines.length === 0 ? '' : `${lines.slice(0, 200).join('\n')}\n`;
}

const options = {
  model: { type: 'string', multiple: true, default: [] },
  prompt: { type: 'string', multiple: true, default: [] },
  rows: { type: 'string' },
  repeat: { type: 'string' },
  limit: { type: 'string' },
  judge: { type: 'string' },
  embeddings: { type: 'string' },
  folder: { type: 'string' },
  yes: { type: 'boolean', short: 'y', default: false },
  wait: { type: 'boolean', default: false },
  margin: { type: 'string', default: '5' },
  variant: { type: 'string' },
  accept: { type: 'boolean', default: false },
  retry: { type: 'boolean', default: false },
  'allow-uncalibrated': { type: 'boolean', default: false },
  junit: { type: 'string' },
  markdown: { type: 'string' },
  output: { type: 'string', short: 'o', multiple: true, default: [] },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} satisfies ParseArgsConfig['options'];

function readArguments(args: readonly string[]): Arguments | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options,
    });
    if (values.help) return 'help';
    const [name, file] = positionals;
    const command = commands.find((one) => one === name);
    if (!command) return l10n.t('Use one of these commands: {0}', commands.join(', '));
    if (file === undefined) return l10n.t('No eval file specified. Add a path.');
    if (values.repeat !== undefined && !/^(?:[1-9]|1\d|20)$/.test(values.repeat))
      return l10n.t('--repeat requires a number from 1 to 20.');
    if (!/^\d{1,2}(?:\.\d+)?$/.test(values.margin)) return l10n.t('--margin requires a number of percentage points.');
    if (values.limit !== undefined && !/^[1-9]\d{0,5}$/.test(values.limit))
      return l10n.t('--limit requires a number of rows.');
    const {
      model: models,
      prompt: prompts,
      rows,
      json,
      retry,
      judge,
      embeddings,
      folder,
      yes,
      wait,
      variant,
      accept,
      junit,
      markdown,
    } = values;
    const { output: outputs } = values;
    const other = outputs.find((path) => !/\.(?:json|jsonl|csv)$/i.test(path));
    if (other !== undefined) return l10n.t('Unsupported format: {0}. Use .json, .jsonl, or .csv.', other);
    const limit = values.limit === undefined ? undefined : Number(values.limit);
    const repeats = values.repeat === undefined ? undefined : Number(values.repeat);
    const allowsUncalibratedJudge = values['allow-uncalibrated'];
    const margin = Number(values.margin);
    const run = {
      retry,
      models: { ...(judge !== undefined && { judge }), ...(embeddings !== undefined && { embeddings }) },
      folder,
      yes,
      wait,
      margin,
      accept,
      variant,
      junit,
      markdown,
      outputs,
      allowsUncalibratedJudge,
      json,
    };
    return { command, file, models, prompts, rows, repeats, limit, run };
  } catch (error) {
    return reasonOf(error);
  }
}
