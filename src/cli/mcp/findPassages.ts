import { isApiError } from '../../core/api/errors';
import type { ToolHost, FindPassagesRequest, FoundPassage, FoundPassages } from '../../core/agentTools/toolHost';
import { isAgentProblem } from '../../core/agentTools/agentTool';
import { apiErrorMessage, unrankedMessage } from '../../core/agentTools/errorMessages';
import { chooseModel } from '../../core/catalogue/jobs';
import { chunksOf } from '../../core/search/chunks';
import type { Chunk } from '../../core/search/chunks';
import { createTextRanking } from '../../core/search/textRanking';
import { walkTexts } from '../../core/workspace/walkTexts';
import type { WalkLeftOut } from '../../core/workspace/walkTexts';
import type { Folders } from './folders';

/** Same as in the editor: about 50,000 tokens, and the answer seldom ranks lower. */
const mostCandidates = 100;
const limits = { files: 20_000, fileBytes: 4 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };

interface FilePart {
  readonly path: string;
  readonly chunk: Chunk;
}

interface Candidate extends FilePart {
  readonly score: number;
}

/** Finds passages of files by the words they share with the question, then ranks them with the account's reranker. */
export async function findPassages(
  request: FindPassagesRequest,
  { host, folders, signal }: { readonly host: ToolHost; readonly folders: Folders; readonly signal: AbortSignal },
): Promise<FoundPassages> {
  const leftOut = { overLimit: 0, tooLarge: 0, unreadable: 0 };
  const { items, files } = await findCandidates(request, folders, leftOut, signal);
  const notes = leftOutNotes(leftOut);
  const toFound = (places: readonly Candidate[]) => places.slice(0, request.limit).map(toPlace);
  const byWords = (note: string): FoundPassages => ({
    places: toFound(items),
    scoredBy: 'text',
    files,
    notes: [...notes, note],
  });
  if (items.length === 0) return { places: [], scoredBy: 'text', files, notes };
  try {
    const model = chooseModel('rerank', await host.models(signal));
    if (model === undefined) return byWords('No reranker, so the passages are sorted by matching words.');
    const documents = items.map(({ path, chunk }) => `${path}\n${chunk.text}`);
    const { scores, failure, unranked } = await host.rerank({ model, query: request.question, documents }, signal);
    if (unranked) return byWords(unrankedMessage(unranked, model));
    const ranked = scores.flatMap(({ index, score }) =>
      items.slice(index, index + 1).map((item) => ({ ...item, score })),
    );
    const more = failure ? ['The ranking is incomplete.'] : [];
    return { places: toFound(ranked), scoredBy: 'rerank', files, notes: [...notes, ...more] };
  } catch (error) {
    signal.throwIfAborted();
    const why = isApiError(error) ? apiErrorMessage(error) : isAgentProblem(error) ? error.message : undefined;
    if (why === undefined) throw error;
    return byWords(`Reranking failed, so the passages are sorted by matching words. ${why}`);
  }
}

async function findCandidates(
  { question, include, exclude }: FindPassagesRequest,
  folders: Folders,
  leftOut: WalkLeftOut,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Candidate[]; readonly files: number }> {
  folders.first();
  const ranking = createTextRanking<FilePart>(question);
  let files = 0;
  for (const [index, folder] of folders.list.entries()) {
    const options = { include, exclude, isSecret: folders.isSecret, limits, signal };
    for await (const { path, text } of walkTexts(folder, options, leftOut)) {
      files += 1;
      // Paths in the first folder are relative, so that tools accept them as input; those in other folders are absolute.
      const shown = index === 0 ? path : `${folder}/${path}`;
      for (const chunk of chunksOf(text)) ranking.add({ path: shown, chunk }, chunk.text, path);
    }
  }
  return { items: ranking.best(mostCandidates).map(({ item, score }) => ({ ...item, score })), files };
}

function toPlace({ path, chunk, score }: Candidate): FoundPassage {
  return { path, startLine: chunk.start.line + 1, endLine: chunk.end.line + 1, score, text: chunk.text };
}

function leftOutNotes({ overLimit, tooLarge, unreadable }: WalkLeftOut): readonly string[] {
  return [
    ...(overLimit > 0
      ? [
          `${overLimit} files exceed the maximum number of files and were not searched. Narrow the search with "include".`,
        ]
      : []),
    ...(tooLarge > 0 ? [`${tooLarge} files larger than 4 MB were skipped.`] : []),
    ...(unreadable > 0 ? [`${unreadable} files could not be read.`] : []),
  ];
}
