import { checkFile } from '../../../../src/core/batch/disk/checkFile';
import { createBatchIndex } from '../../../../src/core/batch/index/batchIndex';
import { defaultSeverities } from '../../../../src/core/batch/problem';
import type { ListedModels } from '../../../../src/core/batch/fileRules';
import type { LineProblem } from '../../../../src/core/batch/problem';

/** A problem as the command line writes it, without the file. */
export function toText({ code, line, span, message }: LineProblem): string {
  return `${line + 1}:${span.start + 1}: ${defaultSeverities[code]} ${code} ${message}`;
}

export async function onDisk(file: string, models?: ListedModels) {
  const problems: string[] = [];
  const onProblem = (problem: LineProblem) => void problems.push(toText(problem));
  const result = await checkFile(file, { onProblem, ...(models && { models }) });
  return { problems, result };
}

/** As an editor gives it: the mark at its beginning and the form of its line ends are no part of its lines. */
export function inEditor(text: string, models?: ListedModels): readonly string[] {
  const hasBom = text.startsWith('\ufeff');
  const hasCrlf = text.includes('\r\n');
  const index = createBatchIndex();
  index.replace(0, 0, text.slice(hasBom ? 1 : 0).split(/\r\n|\n|\r/));
  return [...index.problems({ hasBom, hasCrlf }, models)].map(toText);
}
