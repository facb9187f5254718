import { deepEqual, equal } from 'node:assert/strict';
import { nameAfterMove } from '../../../../src/core/profiles/accountName';
import { freeName, parseProfiles } from '../../../../src/core/profiles/profile';
import { otherHostOf, publicHostOf, publicHosts } from '../../../../src/core/profiles/publicHosts';

describe('the stored list of profiles', () => {
  it('returns valid entries in order, with the origin of the key', () => {
    const { profiles, problems } = parseProfiles([
      { id: 'work', name: ' Work ', baseUrl: 'https://api.example.com:8443/v1/' },
      { id: 'local', baseUrl: 'http://127.0.0.1:9/v1' },
    ]);
    deepEqual(profiles, [
      { id: 'work', name: 'Work', baseUrl: 'https://api.example.com:8443/v1', origin: 'https://api.example.com:8443' },
      { id: 'local', name: 'local', baseUrl: 'http://127.0.0.1:9/v1', origin: 'http://127.0.0.1:9' },
    ]);
    deepEqual(problems, []);
  });

  it('detects an account without a key only by the value true', () => {
    const entry = { id: 'local', name: 'Local', baseUrl: 'http://localhost:11434/v1' };
    const stored = [
      { ...entry, keyless: true },
      { ...entry, id: 'other', keyless: 'yes' },
    ];
    deepEqual(
      parseProfiles(stored).profiles.map(({ keyless }) => keyless),
      [true, undefined],
    );
  });

  it('reads permission for plain http in a private network, and only there', () => {
    const [gpu, near, far] = ['http://192.168.0.2:8000/v1', 'http://127.0.0.1:8000/v1', 'http://example.com/v1'];
    const { profiles, problems } = parseProfiles([
      { id: 'a', name: 'A', baseUrl: gpu },
      { id: 'b', name: 'B', baseUrl: gpu, allowHttp: true, keyHeader: 'x-api-key' },
      { id: 'c', name: 'C', baseUrl: near, allowHttp: true, keyHeader: 'cookie' },
      { id: 'd', name: 'D', baseUrl: far, allowHttp: true },
      { id: 'e', name: 'E', baseUrl: gpu, allowHttp: 'yes' },
    ]);
    deepEqual(profiles, [
      { id: 'b', name: 'B', baseUrl: gpu, origin: 'http://192.168.0.2:8000', allowHttp: true, keyHeader: 'x-api-key' },
      { id: 'c', name: 'C', baseUrl: near, origin: 'http://127.0.0.1:8000' },
    ]);
    deepEqual(
      problems.map(({ index, problem }) => `${index} ${problem}`),
      ['0 privateHttp', '3 plainHttp', '4 privateHttp'],
    );
  });

  it('omits invalid entries, reports each with a reason, and keeps the rest', () => {
    const { profiles, problems } = parseProfiles([
      'no object',
      null,
      { id: 'a', name: 'A', baseUrl: 'http://example.com/v1' },
      { id: '../up', name: 'Up', baseUrl: 'https://example.com/v1' },
      { id: 'b', name: 'B', baseUrl: 'https://example.com/v1' },
      { id: 'b', name: 'Again', baseUrl: 'https://other.example.com/v1' },
      { id: 'c', name: 3, baseUrl: 'https://example.com/v1' },
    ]);
    deepEqual(
      profiles.map(({ id }) => id),
      ['b'],
    );
    deepEqual(
      problems.map(({ index, problem }) => `${index} ${problem}`),
      ['0 shape', '1 shape', '2 plainHttp', '3 id', '5 duplicateId', '6 shape'],
    );
  });
});

describe('the name of a new profile', () => {
  it('is unique, ignoring case', () => {
    equal(freeName('Demo', []), 'Demo');
    equal(freeName('Demo', [{ name: 'demo' }, { name: 'Demo 2' }]), 'Demo 3');
    equal(freeName('__proto__', [{ name: 'constructor' }]), '__proto__');
  });
});

describe('the name of an account whose base URL changes', () => {
  const move = (name: string, from: string, to: string) => nameAfterMove(name, { from, to }, [{ name: 'gpu.example' }]);
  const [vendor, elsewhere] = ['https://api.siliconflow.com/v1', 'https://gpu.example/v1'];

  it('follows the URL only if it is the default name', () => {
    equal(move('SiliconFlow', vendor, elsewhere), 'gpu.example 2');
    equal(move('gpu.example 3', elsewhere, vendor), 'SiliconFlow');
    equal(move('SiliconFlow 2', vendor, 'https://api.siliconflow.cn/v1'), 'SiliconFlow 2');
    equal(move('Mine', vendor, elsewhere), 'Mine');
    equal(move('', 'not a URL', elsewhere), '');
  });
});

describe('the public hosts', () => {
  it('are known by their origin, and refer to each other', () => {
    equal(publicHostOf(publicHosts.china), 'china');
    equal(publicHostOf('https://api.siliconflow.com'), 'international');
    equal(publicHostOf('https://api.siliconflow.com.example.org/v1'), undefined);
    equal(otherHostOf(publicHosts.china), 'international');
    equal(otherHostOf('https://api.example.com/v1'), undefined);
  });
});
