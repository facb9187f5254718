import assert from 'node:assert/strict';
import { findSent, voicesNamed } from '../../../../src/core/voices/voiceNames';

const voice = (uri: string, customName: string, text = 'Hello.') => ({ uri, customName, text, model: 'm' });

describe('voices by their name', () => {
  it('are found with different case, width, or white space', () => {
    const voices = [voice('1', 'Anna'), voice('2', 'ANNA '), voice('3', 'Ａｎｎａ'), voice('4', 'Hanna'), { uri: '5' }];
    assert.deepEqual(
      voicesNamed('anna', voices).map(({ uri }) => uri),
      ['1', '2', '3'],
    );
    assert.deepEqual(voicesNamed('ЁЛКА', [voice('1', 'ёлка')]).length, 1);
  });

  it('are found after a lost response: new ones with the sent name and text', () => {
    const sent = { name: 'Anna', text: 'Hello.', model: 'm', profileId: 'p', before: ['1'] };
    assert.equal(findSent(sent, [voice('1', 'Anna'), voice('2', 'Anna')])?.uri, '2');
    assert.equal(findSent(sent, [voice('2', 'anna')]), undefined);
    assert.equal(findSent(sent, [voice('2', 'Anna', 'Other.')]), undefined);
    assert.equal(findSent(sent, [{ ...voice('2', 'Anna'), model: 'n' }]), undefined);
    assert.equal(findSent(sent, [{ uri: '2', customName: 'Anna' }])?.uri, '2');
  });

  it("aren't guessed if two match", () => {
    const sent = { name: 'Anna', text: 'Hello.', model: 'm', profileId: 'p', before: [] };
    assert.equal(findSent(sent, [voice('1', 'Anna'), voice('2', 'Anna')]), undefined);
  });
});
