import { createTextRanking } from '../textRanking';
import type { Candidates } from './finding';
import { readChunks } from './readChunks';
import type { FileChunk, FileText, ReadOptions, SearchedFiles } from './readChunks';

/** Returns the parts of files that share words with a question. Nothing leaves the machine. */
export async function textCandidates<File extends FileText, Where>(
  question: string,
  { open, whereOf }: SearchedFiles<File, Where>,
  most: number,
  options: ReadOptions,
): Promise<Candidates<Where>> {
  const ranking = createTextRanking<FileChunk<File>>(question);
  const take = (found: FileChunk<File>) => {
    ranking.add(found, found.chunk.text, found.file.path);
    return true;
  };
  const { files, leftOut } = await readChunks(open, take, options);
  const items = ranking.best(most).map(({ item: { file, chunk }, score }) => ({
    ...whereOf(file, chunk),
    path: file.path,
    text: chunk.text,
    score,
  }));
  return { items, by: 'text', files, leftOut, tokens: 0 };
}
