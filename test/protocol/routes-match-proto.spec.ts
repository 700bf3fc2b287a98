import 'reflect-metadata';
import { getOption } from '@bufbuild/protobuf';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { A2A_FASTIFY_OPTIONS, A2aBindingsModule } from '@a2a/a2a-bindings';
import { A2AService, A2aCoreModule, Agent } from '@a2a/a2a-core';
import { http } from '../../libs/a2a-core/src/gen/google/api/annotations_pb.js';

@Agent({ id: 'routes', name: 'Routes', description: 'Is never asked anything', version: '1.0.0' })
class RoutesAgent {}

@Module({ providers: [RoutesAgent] })
class RoutesModule {}

/** What the bindings serve beside the operations. */
const BESIDE = /^(\/?$|\/rpc|\/\.well-known|\/agents$)/;

const ADAPTERS = [
  ['express', readExpressRoutes],
  ['fastify', readFastifyRoutes],
] as const;

describe.each(ADAPTERS)('The routes that %s has mounted', (_, readRoutes) => {
  let mounted: string[];
  beforeAll(async () => {
    mounted = await readRoutes();
  });

  it('are the annotations of the proto and nothing else, for the agent at the root [REST-11] [REST-10]', () => {
    const atRoot = mounted.filter((route) => !route.includes(' /agents/') && !BESIDE.test(pathOf(route)));
    expect(atRoot.toSorted()).toEqual(annotatedRoutes().toSorted());
  });

  it('are the same below /agents for every agent by its id [CARD-09]', () => {
    const below = mounted.filter((route) => route.includes(' /agents/{agent}')).map((route) => route.replace('/agents/{agent}', ''));
    expect(below.filter((route) => !BESIDE.test(pathOf(route))).toSorted()).toEqual(annotatedRoutes().toSorted());
  });

  it('try every path with a verb before the one that would take the verb for a part of the id [REST-16]', () => {
    const index = (route: string): number => mounted.findIndex((candidate) => candidate.endsWith(route));
    expect(index('GET /tasks/{id}:subscribe')).toBeGreaterThan(-1);
    expect(index('GET /tasks/{id}:subscribe')).toBeLessThan(index('GET /tasks/{id}'));
  });
});

/** `VERB /path/{variable}` of every annotation. Subscribe is POST in the prose of A2A §11.3.2, so there it is both. */
function annotatedRoutes(): string[] {
  return A2AService.methods.flatMap((method) => {
    const rule = getOption(method, http);
    const routes = [rule, ...rule.additionalBindings].map(
      ({ pattern }) => `${pattern.case?.toUpperCase()} ${String(pattern.value).replaceAll('=*}', '}')}`,
    );
    return method.name === 'SubscribeToTask' ? [...routes, ...routes.map((route) => route.replace('GET', 'POST'))] : routes;
  });
}

async function readExpressRoutes(): Promise<string[]> {
  const adapter = new ExpressAdapter();
  const app = await createApp('express', adapter);
  const { stack } = (adapter.getInstance() as { router: { stack: ExpressLayer[] } }).router;
  const routes = stack.flatMap(({ route }) =>
    route ? Object.keys(route.methods).flatMap((method) => [route.path].flat().map((path) => `${method.toUpperCase()} ${path}`)) : [],
  );
  await app.close();
  return routes.map((route) =>
    route
      .replaceAll('\\:', '\0')
      .replace(/:(\w+)/g, '{$1}')
      .replaceAll('\0', ':'),
  );
}

interface ExpressLayer {
  readonly route?: { readonly path: string | string[]; readonly methods: Readonly<Record<string, boolean>> };
}

async function readFastifyRoutes(): Promise<string[]> {
  const adapter = new FastifyAdapter(A2A_FASTIFY_OPTIONS);
  const routes: string[] = [];
  adapter.getInstance().addHook('onRoute', ({ method, url }) => {
    for (const verb of [method].flat()) if (verb !== 'HEAD') routes.push(`${verb} ${url}`);
  });
  const app = await createApp('fastify', adapter);
  await app.close();
  return routes.map((route) =>
    route
      .replaceAll('(^.+)', '')
      .replaceAll('::', '\0')
      .replace(/:(\w+)/g, '{$1}')
      .replaceAll('\0', ':'),
  );
}

async function createApp(httpAdapter: 'express' | 'fastify', adapter: ExpressAdapter | FastifyAdapter): Promise<INestApplication> {
  @Module({
    imports: [A2aCoreModule.forRoot({ publicUrl: 'http://127.0.0.1:3000' }), A2aBindingsModule.forRoot({ httpAdapter }), RoutesModule],
  })
  class RoutesApp {}
  return (await NestFactory.create(RoutesApp, adapter, { logger: false, bodyParser: false, abortOnError: false })).init();
}

function pathOf(route: string): string {
  return route.slice(route.indexOf(' ') + 1);
}
