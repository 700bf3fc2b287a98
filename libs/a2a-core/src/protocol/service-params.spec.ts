import { formatExtensions, negotiateVersion, parseExtensions } from './service-params.js';

describe('the version of a call', () => {
  it.each([
    ['1.0', undefined],
    [undefined, '1.0'],
    ['1.0', '1.0'],
    [' 1.0 ', undefined],
    ['1.0.7', undefined],
  ])('header %s and parameter %s mean 1.0 [VER-02, VER-04]', (header, query) => {
    expect(negotiateVersion(header, query)).toBe('1.0');
  });

  it.each(['99.0', '0.3', '1', 'v1.0', 'abc', '1.0, 0.3', '../1.0', '1.0\r\nx: y', '1'.repeat(1_000_000), '1.00001.'])(
    'refuses %.20s [VER-06, VER-09, E7]',
    (version) => {
      expect(() => negotiateVersion(version, undefined)).toThrow(expect.objectContaining({ reason: 'VERSION_NOT_SUPPORTED' }));
    },
  );

  it('takes a missing or empty one for 0.3, unless the host is lenient [VER-05, VER-08]', () => {
    expect(() => negotiateVersion(undefined, undefined)).toThrow(
      expect.objectContaining({ details: { metadata: { supportedVersions: '1.0' } } }),
    );
    expect(() => negotiateVersion('', '')).toThrow(expect.objectContaining({ reason: 'VERSION_NOT_SUPPORTED' }));
    expect(negotiateVersion(undefined, undefined, { whenMissing: '1.0' })).toBe('1.0');
  });

  it('refuses a header and a parameter that disagree [VER-04]', () => {
    expect(() => negotiateVersion('1.0', '0.3')).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMS' }));
  });
});

describe('the extensions of a call', () => {
  it('are read in order, once each [SVC-03, EXT-03]', () => {
    expect(parseExtensions('urn:a, urn:b ,urn:a,,')).toEqual(['urn:a', 'urn:b']);
    expect(parseExtensions(undefined)).toEqual([]);
  });

  it.each([
    ['too many', Array.from({ length: 33 }, (_, index) => `urn:${index}`).join(',')],
    ['too long', `urn:${'a'.repeat(2_048)}`],
    ['a line break', 'urn:a\r\nset-cookie: x'],
    ['white space', 'urn:a b'],
    ['non-ASCII', 'urn:ä'],
  ])('are refused for %s [E8]', (_why, value) => {
    expect(() => parseExtensions(value)).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMS' }));
  });

  it('are echoed only when there are some [EXT-05]', () => {
    expect(formatExtensions([])).toBeUndefined();
    expect(formatExtensions(['urn:a', 'urn:b'])).toBe('urn:a, urn:b');
  });
});
