import { deepEqual, equal } from 'node:assert/strict';
import { reorderParts } from '../../../../src/core/ranking/reorderParts';
import { chosenColumns, tableColumns } from '../../../../src/core/ranking/splits/tableRows';
import { possibleSplits, splitText } from '../../../../src/core/ranking/splitText';

const texts = (text: string, ...columns: readonly string[]) =>
  splitText(text, 'rows', columns).parts.map((part) => part.text);

describe('the rows of a table', () => {
  const table = 'id,title,notes\r\n1,"Lamp, red","says ""hi""\nand more"\r\n2,Shelf,\r\n';

  it('are sent with the names of their columns, without blank ones', () => {
    deepEqual(texts(table), ['id: 1\ntitle: Lamp, red\nnotes: says "hi"\nand more', 'id: 2\ntitle: Shelf']);
  });

  it('are sent with only the selected columns, and a single column is sent unchanged', () => {
    deepEqual(texts(table, 'notes', 'title'), ['title: Lamp, red\nnotes: says "hi"\nand more', 'title: Shelf']);
    deepEqual(texts(table, 'title'), ['Lamp, red', 'Shelf']);
    deepEqual(texts(table, 'notes'), ['says "hi"\nand more', '']);
    deepEqual(texts(table, 'no longer there'), texts(table));
  });

  it('are reordered below their header, whatever columns are sent', () => {
    const sorted = 'id,title,notes\r\n2,Shelf,\r\n1,"Lamp, red","says ""hi""\nand more"\r\n';
    equal(reorderParts(table, splitText(table, 'rows', ['title']), [1, 0]), sorted);
    equal(reorderParts(table, splitText(table, 'rows'), [1]), 'id,title,notes\r\n2,Shelf,\r\n');
    equal(reorderParts('a;b\n1;2\n3;4', splitText('a;b\n1;2\n3;4', 'rows'), [1, 0]), 'a;b\n3;4\n1;2');
  });

  it('are read with the separator of their header', () => {
    for (const separator of [',', ';', '\t', '|']) {
      const text = `\uFEFFname${separator}"a, b; c"\n\nx${separator}y z\n`;
      deepEqual([tableColumns(text), texts(text, 'a, b; c')], [['name', 'a, b; c'], ['y z']]);
    }
    deepEqual(texts('sep=;\na;b,c\n1;2,3\n', 'b,c'), ['2,3']);
  });

  it("are empty in text that isn't a table", () => {
    const others = [
      '',
      'one',
      'one\ntwo',
      'a,b',
      'a,b\n',
      'a,b\n1,2\n3',
      'a,a\n1,2',
      'a,\n1,2',
      'a,b\n,\n',
      'a, b\n- c',
    ];
    for (const text of others) {
      equal(tableColumns(text), undefined, text);
      deepEqual(splitText(text, 'rows').parts, []);
      deepEqual(
        possibleSplits(text).filter(({ by }) => by === 'rows'),
        [],
      );
    }
    equal(splitText('one', 'rows').problem, 'notTable');
  });

  it('are parsed once, however long the table and its fields are', () => {
    const text = `a,b\n${'"x ""y"" z",2\n'.repeat(50_000)}`;
    equal(splitText(text, 'rows').parts.length, 50_000);
    for (const sign of ['"', ',', '""', '"a",', '\r', 'a']) tableColumns(`a,b\n${sign.repeat(100_000)}`);
  });

  it('have the selected columns in the order of the table', () => {
    deepEqual(chosenColumns(['a', 'b', 'c'], ['c', 'x', 'a']), ['a', 'c']);
    deepEqual(chosenColumns(['a', 'b'], []), ['a', 'b']);
  });
});
