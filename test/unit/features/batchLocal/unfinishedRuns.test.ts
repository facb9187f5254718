import { deepEqual, equal } from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { createUnfinishedRuns } from '../../../../src/features/batchLocal/logic/unfinishedRuns';
import { leaseIdOf } from '../../../../src/services/batches/resultsRoot';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('Unfinished runs', () => {
  const folder = setUpFolder();
  const open = () => createUnfinishedRuns(folder.in('runs'));
  const listed = async () => (await open().list()).map((run) => run.folder).toSorted();
  const run = (name: string) => ({ folder: `/results/${name}`, input: '/work/in.jsonl' });

  it('are offered in every window, each once, until they are removed', async () => {
    deepEqual(await listed(), []);
    for (const name of ['a', 'b', 'A', 'a/', 'a']) await open().add(run(name));
    deepEqual(await listed(), ['A', 'a', 'a/', 'b'].map((name) => `/results/${name}`).toSorted());
    await open().remove('/results/a');
    await open().remove('/results/none');
    deepEqual(await listed(), ['A', 'a/', 'b'].map((name) => `/results/${name}`).toSorted());
  });

  it('are empty if the folder is damaged or contains other files', async () => {
    await mkdir(folder.in('runs'));
    for (const [index, text] of ['', '{', 'null', '[]', '{"folder":"/a"}', '{"folder":1,"input":"b"}'].entries()) {
      await writeFile(folder.in(`runs/${index}.json`), text);
    }
    await writeFile(folder.in('runs/note.txt'), JSON.stringify(run('a')));
    await open().add(run('b'));
    deepEqual(await listed(), ['/results/b']);
  });

  it('are locked by a name that all versions derive from the folder', () => {
    equal(leaseIdOf('/results/a'), '17554ef431f3f416');
    equal(new Set(Array.from({ length: 1000 }, (_, index) => leaseIdOf(`/results/${index}`))).size, 1000);
  });
});
