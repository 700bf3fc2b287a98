import { openStore } from '@a2a/a2a-store';

/** Opens the store of `argv[2]` and writes how that went. */
openStore({ url: process.argv[2] ?? '' }).then(
  async (store) => {
    await store.close();
    process.stdout.write('opened');
  },
  (error: unknown) => process.stdout.write(String(error)),
);
