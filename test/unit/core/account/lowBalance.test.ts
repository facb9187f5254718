import { equal } from 'node:assert/strict';
import { compareDecimals, isDecimal } from '../../../../src/core/account/decimal';
import { createCrossingWatch, isBelow } from '../../../../src/core/account/lowBalance';

describe('decimal amounts', () => {
  it('are compared exactly, beyond float precision', () => {
    equal(compareDecimals('0.1', '0.10'), 0);
    equal(compareDecimals('9007199254740993.0001', '9007199254740993.0002'), -1);
    equal(compareDecimals('10', '9.99'), 1);
    equal(compareDecimals('-0.01', '0'), -1);
    equal(compareDecimals('-2', '-1'), -1);
    equal(compareDecimals('-0', '0'), 0);
  });

  it("aren't compared if one isn't a decimal", () => {
    equal(compareDecimals('1e3', '1'), undefined);
    equal(compareDecimals('', '1'), undefined);
    equal(isDecimal('5.'), true);
    equal(isDecimal('5,00'), false);
  });
});

describe('a low balance', () => {
  it('is one below the threshold, not one equal to it', () => {
    equal(isBelow('4.99', '5'), true);
    equal(isBelow('5.00', '5'), false);
  });

  it('is never assumed for unknown amounts', () => {
    equal(isBelow(undefined, '5'), false);
    equal(isBelow('4', ''), false);
    equal(isBelow('unknown', '5'), false);
  });

  it('is reported once per crossing', () => {
    const crossed = createCrossingWatch();
    equal(crossed('a', '6', '5'), false);
    equal(crossed('a', '4', '5'), true);
    equal(crossed('a', '3', '5'), false);
    equal(crossed('a', undefined, '5'), false);
    equal(crossed('a', '2', '5'), false);
    equal(crossed('a', '8', '5'), false);
    equal(crossed('a', '4', '5'), true);
  });

  it('is tracked separately for each profile and threshold', () => {
    const crossed = createCrossingWatch();
    equal(crossed('a', '4', '5'), true);
    equal(crossed('b', '4', '5'), true);
    equal(crossed('a', '4', '4.5'), true);
  });
});
