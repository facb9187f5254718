import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createVoiceNotes, longestVoiceNote } from '../../../../src/core/voices/voiceNotes';
import { setUpFolder } from '../../../support/temporaryFolder';

const uri = 'speech:anna:clx0abc:mhdabcdef';

describe('notes on voices', () => {
  const folder = setUpFolder();
  const asides: string[] = [];
  const notes = (now = 1000) =>
    createVoiceNotes(
      folder.path(),
      (_, aside) => asides.push(aside),
      () => now,
    );

  it('are found by the URI of their voice, also in another window', async () => {
    await notes().write(uri, { text: 'My own voice.\n我自己的声音', isAllowed: true });
    assert.deepEqual(await notes().read(uri), {
      text: 'My own voice.\n我自己的声音',
      isAllowed: true,
      writtenAt: 1000,
    });
    assert.equal(await notes().read(`${uri}x`), undefined);
  });

  it('include the recording of a voice that was uploaded from here', async () => {
    await notes().write(uri, { text: 'a', isAllowed: true, sample: '/home/me/anna.wav' });
    assert.equal((await notes().read(uri))?.sample, '/home/me/anna.wav');
  });

  it('are replaced, and removed with their voice', async () => {
    await notes().write(uri, { text: 'a', isAllowed: false });
    await notes(2000).write(uri, { text: '', isAllowed: true });
    assert.deepEqual(await notes().read(uri), { text: '', isAllowed: true, writtenAt: 2000 });
    await notes().remove(uri);
    await notes().remove(uri);
    assert.equal(await notes().read(uri), undefined);
    assert.deepEqual(await readdir(folder.path()), []);
  });

  it('are empty if the file is unreadable', async () => {
    await notes().write(uri, { text: 'a', isAllowed: true });
    const [name] = await readdir(folder.path());
    const other = { version: 1, uri: 'speech:b', text: 'a', isAllowed: true, writtenAt: 1 };
    for (const text of ['', '{', 'null', '[]', '{"version":2}', JSON.stringify(other), '{"version":1,"uri":"x"}']) {
      await writeFile(folder.in(name ?? ''), text);
      assert.equal(await notes().read(uri), undefined, text);
    }
  });

  it("don't overwrite an unreadable file, which is moved aside", async () => {
    await notes().write(uri, { text: 'a', isAllowed: true });
    const [name = ''] = await readdir(folder.path());
    await writeFile(folder.in(name), '{"version":2,"text":"of a newer version"}');
    await notes().write(uri, { text: 'b', isAllowed: true });
    assert.equal((await notes().read(uri))?.text, 'b');
    const [aside = ''] = asides;
    assert.equal(await readFile(aside, 'utf8'), '{"version":2,"text":"of a newer version"}');
    assert.match(aside, /\.json\.unreadable-/);
    assert.deepEqual(await notes().samples(), []);
  });

  it('treat a URI with a path literally, and accept a text up to the limit', async () => {
    const nasty = 'speech:../../etc/passwd:\u0000:é';
    await notes().write(nasty, { text: 'x'.repeat(longestVoiceNote + 1), isAllowed: true });
    assert.equal((await notes().read(nasty))?.text.length, longestVoiceNote);
    assert.match((await readdir(folder.path())).join(), /^[\da-f]{40}\.json$/);
  });
});
