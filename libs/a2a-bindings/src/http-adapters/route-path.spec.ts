import { formatRoutePath, routePattern, routeVariables, routeVerb } from './route-path.js';

describe('formatRoutePath', () => {
  it.each([
    ['/message:send', 'message\\:send', 'message::send'],
    ['/tasks/{id=*}:cancel', 'tasks/:id\\:cancel', 'tasks/:id(^.+)::cancel'],
    ['/{tenant}/tasks/{task_id=*}/pushNotificationConfigs/{id=*}', ...twice(':tenant/tasks/:task_id/pushNotificationConfigs/:id')],
    ['/', '', ''],
  ])('spells %s for Express as %s and for Fastify as %s [REST-16]', (template, express, fastify) => {
    expect(formatRoutePath(template, 'express')).toBe(express);
    expect(formatRoutePath(template, 'fastify')).toBe(fastify);
  });
});

describe('templates', () => {
  it('knows their variables and verb', () => {
    expect(routeVariables('/{tenant}/tasks/{id=*}:cancel')).toEqual(['tenant', 'id']);
    expect(routeVerb('/{tenant}/tasks/{id=*}:cancel')).toBe(':cancel');
    expect(routeVerb('/tasks/{id=*}')).toBeUndefined();
  });

  it('match one segment for each variable', () => {
    const pattern = new RegExp(`^${routePattern('/tasks/{id=*}:cancel')}$`);
    expect(['/tasks/urn:x:1:cancel', '/tasks/a%2Fb:cancel'].every((path) => pattern.test(path))).toBe(true);
    expect(['/tasks/a/b:cancel', '/tasks/:cancel', '/tasks/a'].some((path) => pattern.test(path))).toBe(false);
  });
});

function twice(text: string): [string, string] {
  return [text, text];
}
