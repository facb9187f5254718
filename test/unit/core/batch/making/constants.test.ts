import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRows } from '../../../../../src/core/batch/making/openRows';
import { compileRecipe } from '../../../../../src/core/batch/making/recipe';
import { withConstants } from '../../../../../src/core/batch/making/rowSource';
import { firstLines } from '../../../../../src/core/batch/making/writeRequests';
import { toRowsPrompt } from '../../../../../src/services/batchFiles/rowsPrompt';

describe('rows with an existing prompt', () => {
  it('fill placeholders from their columns, then from each request', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'constants-'));
    const file = path.join(folder, 'people.csv');
    writeFileSync(file, 'name\nBo\nCy\n');
    const rows = withConstants(await openRows(file), { tone: '{{name}}', name: 'Ada' });
    assert.deepEqual(rows.columns, ['name', 'tone']);
    const recipe = {
      prompt: 'Greet {{name}}.',
      system: 'Be {{tone}}.',
      model: 'm',
      customId: 'row-{n}',
      others: { top_p: 0.5 },
    };
    const [line = ''] = await firstLines(rows, compileRecipe(recipe, rows.columns), 1);
    assert.deepEqual(JSON.parse(line).body, {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be {{name}}.' },
        { role: 'user', content: 'Greet Bo.' },
      ],
      top_p: 0.5,
    });
    rmSync(folder, { recursive: true });
  });

  it('reject a prompt of another type', () => {
    const provided = { prompt: 'p', system: '', parameters: { top_p: 1 }, constants: { a: 'b', c: 3 } };
    assert.deepEqual(toRowsPrompt(provided), { ...provided, constants: { a: 'b' } });
    for (const wrong of [undefined, [{}], { ...provided, prompt: 1 }, { ...provided, constants: [] }, 'p']) {
      assert.equal(toRowsPrompt(wrong), undefined);
    }
  });
});
