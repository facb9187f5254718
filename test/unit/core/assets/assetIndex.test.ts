import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createAssetIndex } from '../../../../src/core/assets/assetIndex';
import type { Recipe } from '../../../../src/core/assets/recipe';
import { recipeText } from '../../../../src/core/assets/recipeFile';
import { setUpFolder } from '../../../support/temporaryFolder';
import { runs } from '../../../support/runs';

const sha256 = 'ab'.repeat(32);
const recipeOf = (name: string, second: number, index = 0): Recipe => ({
  version: 1,
  kind: 'image',
  request: { model: 'm', prompt: name },
  createdAt: new Date(second * 1000).toISOString(),
  service: 'https://api.example/v1',
  index,
  file: { name, sha256, bytes: 1, contentType: 'image/png' },
});

describe('the index of generated files', function () {
  this.timeout(60_000);
  const folder = setUpFolder();
  const put = async (place: string, name: string, recipe: string) => {
    await mkdir(folder.in(place), { recursive: true });
    await writeFile(folder.in(`${place}/${name}`), 'x');
    await writeFile(folder.in(`${place}/${name}.recipe.json`), recipe);
  };

  it('lists all folders, newest first, except entries without a file or a readable recipe', async () => {
    await put('one', 'old.png', recipeText(recipeOf('old.png', 1)));
    await put('one', 'torn.png', recipeText(recipeOf('torn.png', 5)).slice(0, 90));
    await put('one', 'newer.png', JSON.stringify({ ...recipeOf('newer.png', 6), version: 2 }));
    await put('two', 'new-b.png', recipeText(recipeOf('new-b.png', 9, 1)));
    await put('two', 'new-a.png', recipeText(recipeOf('new-a.png', 9, 0)));
    await put('two', 'gone.png', recipeText(recipeOf('gone.png', 9)));
    await rm(folder.in('two/gone.png'));
    await writeFile(folder.in('two/plain.png'), 'x');
    const index = createAssetIndex();
    const folders = ['one', 'two', 'two', 'nowhere'].map((name) => folder.in(name));
    const names = async () => (await index.list(folders)).map(({ recipe }) => recipe.file.name);
    assert.deepEqual(await names(), ['new-a.png', 'new-b.png', 'old.png']);
    await put('one', 'old.png', recipeText(recipeOf('old.png', 20)));
    await rm(folder.in('two/new-a.png'));
    assert.deepEqual(await names(), ['old.png', 'new-b.png']);
  });

  it("excludes files that can't be generated here, whatever recipe a workspace provides", async () => {
    for (const name of ['cat.bat', 'cat.desktop', 'cat.html', 'cat.png.exe', 'cat', 'cat.png']) {
      await put('foreign', name, recipeText(recipeOf(name, 1)));
    }
    const assets = await createAssetIndex().list([folder.in('foreign')]);
    assert.deepEqual(
      assets.map(({ recipe }) => recipe.file.name),
      ['cat.png'],
    );
  });

  const many = runs(1000, 5000);
  it(`of ${many} files is listed again without reading them again`, async () => {
    await mkdir(folder.in('many'));
    for (let start = 0; start < many; start += 250) {
      const names = Array.from({ length: 250 }, (_, at) => `${start + at}.png`);
      await Promise.all(names.map((name, at) => put('many', name, recipeText(recipeOf(name, start + at)))));
    }
    const index = createAssetIndex();
    const first = await index.list([folder.in('many')]);
    const began = performance.now();
    const again = await index.list([folder.in('many')]);
    const ms = performance.now() - began;
    assert.equal(first.length, many);
    assert.ok(
      again.every(({ recipe }, at) => recipe === first[at]?.recipe),
      'none was read again',
    );
    assert.ok(ms < 3000, `${Math.round(ms)} ms`);
  });
});
