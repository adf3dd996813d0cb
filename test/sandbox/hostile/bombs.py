# Uses more than it may, in one of many ways, or refuses to end. What is to be seen is how it is stopped.
# Usage: bombs.py CASE MARKER; whatever it leaves running has the marker on its command line.
import errno
import mmap
import os
import resource
import signal
import sys
import time

mebibyte = 1 << 20


def spin_in_two():
    os.fork()
    while True:
        pass


def spin_in_forgotten_children():
    # Nobody waits for them, so their time is added to nobody's.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        if os.fork() == 0:
            started = time.process_time()
            while time.process_time() - started < 0.02:
                pass
            os._exit(0)
        time.sleep(0.03)


def sleep_deaf():
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    time.sleep(60)


def memory_in_one():
    kept = []
    while True:
        kept.append(b"\1" * (2 * mebibyte))
        time.sleep(0.004)


def memory_in_many():
    for _ in range(8):
        if os.fork() == 0:
            kept = b"\1" * (48 * mebibyte)
            time.sleep(30)
            os._exit(len(kept) % 2)
    time.sleep(30)


def memory_shared():
    kept = []
    while True:
        each = mmap.mmap(-1, 4 * mebibyte)
        each.write(b"\1" * (4 * mebibyte))
        kept.append(each)
        time.sleep(0.004)


def forks():
    # Where nothing else does, this bounds it.
    soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    most = 120 if hard == resource.RLIM_INFINITY else min(120, hard)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)


def flood(descriptors):
    text = b"y" * 65536
    while True:
        for each in descriptors:
            os.write(each, text)


def huge_file():
    # Python would be told by an error instead.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    fill("huge")


def fill(path, most=256 * mebibyte):
    written = 0
    try:
        with open(path, "wb", buffering=0) as file:
            while written < most:
                written += file.write(b"\1" * mebibyte)
    except OSError as error:
        # What is full stays full for a while, as with a program that tries again.
        if error.errno == errno.ENOSPC:
            time.sleep(30)
        raise


def many_files():
    for number in range(256):
        fill(f"file-{number}", mebibyte)
    time.sleep(30)


def empty_files():
    for number in range(1_500):
        os.close(os.open(f"{number}", os.O_CREAT | os.O_WRONLY, 0o600))
    time.sleep(30)


def unnamed_files():
    kept = []
    for number in range(16):
        kept.append(open(f"file-{number}", "wb", buffering=0))
        os.unlink(f"file-{number}")
        try:
            for _ in range(12):
                kept[-1].write(b"\1" * mebibyte)
        except OSError:
            break
    time.sleep(30)


def shut_files():
    os.mkdir("shut")
    os.chdir("shut")
    os.chmod(".", 0o300)
    many_files()


def fill_temporary():
    for number in range(16):
        fill(f"{os.environ['TMPDIR']}/{number}", 12 * mebibyte)
    time.sleep(30)


def orphan():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(each, signal.SIG_IGN)
            os.closerange(0, 64)
            os.execve("/bin/sleep", [sys.argv[2], "30"], {})
        os._exit(0)
    os.wait()
    time.sleep(0.1)


def kill_everybody():
    child = os.fork()
    if child == 0:
        time.sleep(30)
        os._exit(0)
    os.kill(-1, signal.SIGKILL)
    os.waitpid(child, 0)


def rename_meanwhile():
    # What is taken away afterwards never lies where it lay before.
    if os.fork() > 0:
        time.sleep(0.1)
        return
    os.closerange(0, 64)
    for number in range(1_000_000):
        os.makedirs(f"{number}/a/b", exist_ok=True)
        os.rename(f"{number}/a", f"moved-{number}")
        # Whoever went on below it by its name would be outside.
        os.symlink(sys.argv[3], f"{number}/a")
        os.chmod(f"moved-{number}", 0)


cases = {
    "spin-in-two": spin_in_two,
    "spin-in-forgotten-children": spin_in_forgotten_children,
    "sleep-deaf": sleep_deaf,
    "memory-in-one": memory_in_one,
    "memory-in-many": memory_in_many,
    "memory-shared": memory_shared,
    "forks": forks,
    "flood-output": lambda: flood([1]),
    "flood-errors": lambda: flood([2]),
    "flood-both": lambda: flood([1, 2]),
    "huge-file": huge_file,
    "many-files": many_files,
    "empty-files": empty_files,
    "unnamed-files": unnamed_files,
    "shut-files": shut_files,
    "fill-temporary": fill_temporary,
    "fill-shared-memory": lambda: [fill(f"/dev/shm/{sys.argv[2]}-{each}", 12 * mebibyte) for each in range(16)],
    "orphan": orphan,
    "kill-everybody": kill_everybody,
    "rename-meanwhile": rename_meanwhile,
}
cases[sys.argv[1]]()
