# `make start` shows Bookwheel working; `make test` proves it. Both set up what they need.
.PHONY: start test build install uninstall check docs bench soak faults clients image deploy release clean

start: build
	node dist/main.js demo

test: build tests/peers/node_modules/.package-lock.json
	sh scripts/system-packages.sh chromium redis-server nginx pdftotext tesseract
	npm run --silent check
	npm run --silent docs:check
	npx vitest run

build: node_modules/.package-lock.json
	npm run --silent build

# A copy, so that moving or deleting this folder breaks neither the command nor the clients that were set up with it.
install: build
	mkdir -p .cache
	npm pack --silent --pack-destination .cache
	npm install --global --no-audit --no-fund .cache/bookwheel-*.tgz
	rm .cache/bookwheel-*.tgz

uninstall:
	npm uninstall --global bookwheel

# npm writes this file last, so it is newer than the lock file only after a complete install. Not `npm ci`: it refuses a
# lock file without the optional binaries of other platforms, and not every registry has all of them.
node_modules/.package-lock.json: package-lock.json
	npm install --no-save --no-audit --no-fund
	@touch $@

# The conformance suite and the Inspector, kept apart from what users install. Some ask for a newer Node than ours, which npm would warn of.
tests/peers/node_modules/.package-lock.json: tests/peers/package-lock.json
	npm install --prefix tests/peers --no-save --no-audit --no-fund --ignore-scripts --loglevel=error
	@touch $@

check: build
	npm run --silent check

docs: build
	npm run --silent docs

# ARGS go to the runner: make bench ARGS="--only engines --write". A peer that cannot be had is a row that says so.
bench: build
	-npm install --prefix bench/peers --no-save --no-audit --no-fund --ignore-scripts
	node bench/run.mjs $(ARGS)

# ARGS: --minutes 30, --heap image|unit (the heap we ship), --hostile (bodies of 16 MiB and slow texts beside the load).
soak: build
	node bench/soak.mjs $(ARGS)

# What make test tries a few times, as often as it takes to believe it.
faults: build
	sh scripts/system-packages.sh bindfs tesseract pdftotext
	BOOKWHEEL_KILLS=200 BOOKWHEEL_CONNECTIONS=10000 npx vitest run tests/faults tests/fuzz src/shelves/chunks/stores/sqlite-durability.test.ts

# Real clients, each with a scripted model behind it, and what that model was given in tests/clients/seen. About 1.3 GB to install.
clients: build tests/peers/node_modules/.package-lock.json tests/clients/node_modules/.package-lock.json
	-python3 -m venv tests/clients/.venv && tests/clients/.venv/bin/pip install --quiet mcp==2.3.0
	BOOKWHEEL_RECORD_CLIENTS=1 npx vitest run tests/clients

tests/clients/node_modules/.package-lock.json: tests/clients/package-lock.json
	npm install --prefix tests/clients --no-save --no-audit --no-fund --ignore-scripts
	@touch $@

# The image's name and tag, here and nowhere else by hand: the version is package.json's, the manifests are checked against it.
IMAGE = localhost/bookwheel:$(shell node -p "require('./package.json').version")
BUILDER = $(shell command -v podman || command -v buildah || command -v docker)

# Older builders do not say which machine they build on, so the build says it.
image:
	$(BUILDER) build --build-arg BUILDPLATFORM=linux/$(shell node -p "({x64:'amd64'})[process.arch] || process.arch") -t $(IMAGE) -f Containerfile .

# Puts the image into the k3s of this machine and starts the pod; the secrets must be there (docs/DEPLOYMENT.md).
deploy: image
	$(BUILDER) save $(IMAGE) | sudo k3s ctr images import -
	kubectl apply -k deploy
	kubectl -n bookwheel rollout status statefulset/bookwheel

# Tarball, bundle, checksums and SBOM in dist-release/.
release: build
	node scripts/release.mjs

clean:
	rm -rf dist node_modules .cache test-results
