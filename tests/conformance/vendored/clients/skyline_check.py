#!/usr/bin/env python3
"""Open the Share pages of the Skyline console in a headless Chromium.

    skyline_check.py --front http://127.0.0.1:18481 --shots FOLDER [--user alice] [--admin admin] [--password secret]
The session is begun with the login call made from the page (the login form of 9.0.0 cannot be used: its domain list needs a login).
PASS/FAIL a page: Manila was asked, no call to it failed, the page is not an error page. Exit status 1 on FAIL.
"""
import argparse
import json
import pathlib
import sys
import time
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("--front", required=True)
ap.add_argument("--shots", required=True)
ap.add_argument("--user", default="alice")
ap.add_argument("--admin", default="admin")
ap.add_argument("--password", default="secret")
ap.add_argument("--region", default="RegionOne")
ap.add_argument("--admin-pages", action="store_true", help="also the administrator's pages")
args = ap.parse_args()
shots = pathlib.Path(args.shots)
shots.mkdir(parents=True, exist_ok=True)
PAGES = {"user": ["share/share", "share/share-network", "share/share-group"],
         "admin": ["share/share-admin", "share/share-network-admin", "share/share-group-admin", "share/share-type-admin",
                   "share/share-group-type-admin", "share/share-instance-admin", "share/share-server-admin"]}
count = {"PASS": 0, "FAIL": 0}
manila = {}
for who in ("user", "admin") if args.admin_pages else ("user",):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1500,1000", "--lang=en-US",
                 "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"):
        options.add_argument(flag)
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.set_page_load_timeout(60)
    browser.set_script_timeout(30)
    browser.get(args.front + "/auth/login")
    name = args.user if who == "user" else args.admin
    status = browser.execute_async_script("""
        const done = arguments[arguments.length - 1]; localStorage.setItem('lang', 'en');
        document.cookie = 'lang=en; path=/';
        fetch('/api/openstack/skyline/api/v1/login', {method: 'POST', headers: {'Content-Type': 'application/json'},
          body: JSON.stringify({region: arguments[0], domain: 'Default', username: arguments[1], password: arguments[2]})})
        .then(r => r.json().then(j => { localStorage.setItem('keystone_token', JSON.stringify({value: j.keystone_token, expires: 4070908800000}));
           done(r.status); }))""",
        args.region, name, args.password)
    print(f"{'PASS' if status == 200 else 'FAIL'} login {name}")
    count["PASS" if status == 200 else "FAIL"] += 1
    for page in PAGES[who]:
        urllib.request.urlopen(args.front + "/_log").read()
        browser.get(f"{args.front}/{page}")
        seen = []
        for _ in range(80):
            time.sleep(0.5)
            seen += json.load(urllib.request.urlopen(args.front + "/_log"))
            if any("/manila" in path for _, path, _ in seen) and len(seen) > 3:
                break
        time.sleep(1.5)
        seen += json.load(urllib.request.urlopen(args.front + "/_log"))
        calls = [c for c in seen if "/manila" in c[1]]
        failed = [c for c in calls if c[2] >= 400]
        for method, path, code in calls:
            manila[f"{method} {path.split('/manilav2', 1)[-1]}"] = code
        browser.save_screenshot(str(shots / f"skyline-{page.replace('/', '-')}.png"))
        ok = bool(calls) and not failed and page in browser.current_url
        count["PASS" if ok else "FAIL"] += 1
        print(f"{'PASS' if ok else 'FAIL'} page {page} ({len(calls)} calls to Manila)" + ("" if ok else f"   -- {failed} at {browser.current_url}: "
              + " ".join(browser.find_element(By.TAG_NAME, 'body').text.split())[:150] + f" {[(p, s) for _, p, s in seen if s >= 400][:6]}"), flush=True)
    browser.quit()
for call, code in sorted(manila.items()):
    print("     ", code, call)
print(f"{count['PASS']} passed, {count['FAIL']} failed")
sys.exit(1 if count["FAIL"] else 0)
