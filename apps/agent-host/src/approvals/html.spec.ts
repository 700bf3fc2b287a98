import { html } from './html.js';

describe('html', () => {
  it('escapes every inserted text, also inside attributes', () => {
    const evil = `"><script>alert('&')</script>`;
    expect(html`<p title="${evil}">${evil}</p>`.markup).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>',
    );
  });

  it('keeps markup that was made by itself', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(
      html`<ul>
        ${items}
      </ul>`.markup.replace(/\s/g, ''),
    ).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
  });
});
